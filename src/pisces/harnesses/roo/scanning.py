"""Files of Roo Code that a scan knows by name, and what switches its approvals off."""

from __future__ import annotations

from pisces.scanning.known_files import Scanning

SCANNING = Scanning(
    credentials=(".roo/cli-credentials.json",),
    approval_off=(("autoapprovalenabled", r"\"autoApprovalEnabled\"\s{0,9}:\s{0,9}true"),),
)
