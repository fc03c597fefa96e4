"""Spack recipe: spack repo add contrib/spack; spack install weir."""
from spack.package import *


class Weir(CMakePackage):
    """I/O bandwidth scheduling for supercomputers: simulator, strategies, and live control."""

    license("MIT")
    maintainers("weir")
    version("main", branch="main")

    variant("slurm", default=False, description="Build the SPANK plug-in")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("libyaml")
    depends_on("kissfft")
    depends_on("libuv")
    depends_on("zlib-api")
    depends_on("ncurses")
    depends_on("sqlite")
    depends_on("libsodium")
    depends_on("munge")
    depends_on("libmicrohttpd")
    depends_on("slurm", when="+slurm")

    generator("ninja")

    def cmake_args(self):
        return [self.define("BUILD_TESTING", False)]

    def test_simulate(self):
        """a generated scenario can be simulated"""
        weir = which(self.prefix.bin.weir)
        scenario = weir("generate", "jupiter", output=str)
        with open("scenario.yaml", "w") as file:
            file.write(scenario)
        assert "fair-share" in weir("simulate", "scenario.yaml", output=str)
