"""Pictures of results as SVG, with names, scales, a legend and a title, for papers and talks."""
