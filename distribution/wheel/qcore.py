"""The short name of quantification_lab, whose modules these are.

A file, not a folder: another distribution has a folder `qcore`, which neither overwrites this file nor is overwritten. Where
both are installed, Python imports the folder, and this package has its long name alone.
"""

import sys

if __name__ == "__main__":
    from quantification_lab.__main__ import main

    sys.exit(main(program="python -m qcore"))
elif __name__ == "qcore":
    from quantification_lab._base.second_name import make_known_as

    make_known_as(__name__)
