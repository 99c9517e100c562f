#!/bin/bash -e
# On Raspberry Pi OS Lite as the stage before left it.
if [ ! -d "${ROOTFS_DIR}" ]; then
  copy_previous
fi
