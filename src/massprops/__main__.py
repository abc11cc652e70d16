"""``python -m massprops``."""

from massprops.cli import main

if __name__ == "__main__":
    main()
