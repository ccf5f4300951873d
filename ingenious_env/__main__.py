"""`python -m ingenious_env`: the command `ingenious`."""

from ingenious_env.cli import main

if __name__ == "__main__":
    main()
