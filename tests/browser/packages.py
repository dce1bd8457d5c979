"""Debian's packages that the browser tests need: installed where they are missing and can be."""

import os
import shutil
import subprocess


def install(package: str) -> None:
    """Try to install a package, and say so."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        print(f"Installing Debian's {package}.", flush=True)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "-y", "--no-install-recommends", package]):
            subprocess.run(["apt-get", "-qq", *command], env=environment, check=False)
