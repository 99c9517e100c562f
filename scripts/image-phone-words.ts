/** Two phones on the booted board, as commands for its shell: docs/decisions/0064-phones-of-the-image.md. */

/** Where the second disk is unpacked: memory of the board. */
export const AT = '/run/phones'
export const NODE = '/opt/lookout/current/bin/node'
export const STATION = '10.42.0.1'
/** A radio by TCP, and whatever a phone may have open. */
export const [RADIO_PORT, PHONE_PORT] = [4403, 8088]

export interface Wifi {
  ssid: string
  passphrase: string
}

export interface Phone {
  name: 'one' | 'two'
  interface: 'wlan1' | 'wlan2'
}
export const ONE: Phone = { name: 'one', interface: 'wlan1' }
export const TWO: Phone = { name: 'two', interface: 'wlan2' }

export const joining = ({ name }: Phone, { ssid, passphrase }: Wifi): string => `ctrl_interface=${AT}/control-${name}
network={
  ssid="${ssid}"
  psk="${passphrase}"
  key_mgmt=WPA-PSK
  proto=RSN
}
`
export const inside = ({ name }: Phone, command: string): string => `ip netns exec ${name} ${command}`
export const node = (words: string): string => `${NODE} --max-old-space-size=32 ${AT}/image-phone.ts ${words}`

/** Puts the radio of a phone into a network of its own. */
export const apart = ({ name, interface: wifi }: Phone): string =>
  [
    `ip netns add ${name}`,
    `iw phy $(cat /sys/class/net/${wifi}/phy80211/name) set netns name ${name}`,
    `ip -n ${name} link set lo up`,
    `ip -n ${name} link set ${wifi} up`
  ].join(' && ')

export const supplicant = (phone: Phone, file: string): string =>
  inside(
    phone,
    `wpa_supplicant -B -D nl80211 -i ${phone.interface} -c ${AT}/${file}.conf -f ${AT}/${file}.log -P ${AT}/${phone.name}.pid`
  )

export const status = ({ name, interface: wifi }: Phone): string => `wpa_cli -p ${AT}/control-${name} -i ${wifi} status`

/** Waits up to `tries` seconds until the phone is joined; then what its supplicant says of the connection. */
export const joined = (phone: Phone, tries = 90): string =>
  `for n in $(seq ${tries}); do ${status(phone)} | grep -q wpa_state=COMPLETED && break; sleep 1; done; ${status(phone)}`

export const address = (phone: Phone): string =>
  inside(phone, `busybox udhcpc -i ${phone.interface} -n -q -t 10 -O 114 -O ntpsrv -s ${AT}/udhcpc`)

export const lastLine = (text: string): string => text.split('\n').at(-1) ?? ''
/** The line that begins so: supplicants and the kernel say things beside. */
export const lineOf = (text: string, begin: string): string =>
  text.split('\n').find((line) => line.startsWith(begin)) ?? ''
export const fieldsOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/(?:^|\s)(\w+)=(\S*)/g)].map(([, name, value]) => [name ?? '', value ?? '']))
