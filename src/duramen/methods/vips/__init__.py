"""Vision-based page segmentation (VIPS).

Cai, Yu, Wen and Ma, "VIPS: a vision-based page segmentation algorithm", Microsoft Research MSR-TR-2003-79, 2003.
"""
