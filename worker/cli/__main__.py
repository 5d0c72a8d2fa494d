"""`python -P -m worker.cli`: the command line without an installed script."""

from worker.cli.main import main

if __name__ == "__main__":
    main()
