"""Targets: what kernels are compiled for, this machine's processor or WebAssembly."""
