"""Kernels of networks: inference alone, as training is PyTorch's part."""
