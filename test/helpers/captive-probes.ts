/** Addresses that phones of five families ask to find out whether they have the Internet, and the status that contents them. */
export const PROBES: readonly (readonly [url: string, status: string])[] = [
  ['http://connectivitycheck.gstatic.com/generate_204', '204'],
  ['http://www.google.com/gen_204', '204'],
  ['http://connect.rom.miui.com/generate_204', '204'],
  ['http://connectivitycheck.platform.hicloud.com/generate_204', '204'],
  ['http://captive.apple.com/hotspot-detect.html', '200'],
  ['http://www.apple.com/library/test/success.html', '200'],
  ['http://www.msftconnecttest.com/connecttest.txt', '200'],
  ['http://www.msftncsi.com/ncsi.txt', '200'],
  ['http://detectportal.firefox.com/success.txt?ipv4', '200'],
  ['http://nmcheck.gnome.org/check_network_status.txt', '200'],
  ['http://network-test.debian.org/nm', '200'],
  ['http://connectivity-check.ubuntu.com/', '200']
]
/** Where they are led until somebody goes on without. */
export const BOARD = 'http://lookout.lan/alerts?joined=1'
