"""The kernels of these opponents."""
