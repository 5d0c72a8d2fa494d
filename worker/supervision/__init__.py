"""The processes of one machine: started, watched, replaced, stopped in order."""
