#!/bin/bash -e
# files/image is deploy/image, files/lookout.deb the package of the station, files/lookout-setup.txt the text file for the card: README.md.
install -m 644 files/lookout.deb "${ROOTFS_DIR}/lookout.deb"
on_chroot <<EOF
dpkg --install /lookout.deb
EOF
rm "${ROOTFS_DIR}/lookout.deb"
files/image/customise "${ROOTFS_DIR}"
install -D -m 644 files/lookout-setup.txt "${ROOTFS_DIR}/boot/firmware/lookout-setup.txt"
