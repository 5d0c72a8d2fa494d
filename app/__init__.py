"""The front end: HTTP, JSON and the page; no engine and no device is ever loaded here."""
