import type { Position } from '../../../model/geojson.ts'

/** A coast for which the JMA forecasts tsunamis: its name in letters everybody's node can show, and roughly where it is. */
export interface Coast {
  name: string
  /** A box around it, as a ring: rather too much than too little. */
  ring: Position[]
}

/** Code of the tsunami forecast area, name, then south, west, north, east in degrees. */
const TABLE = `
100 Hokkaido Pacific East|42.6 143.6 44.0 146.0
101 Hokkaido Pacific Central|41.8 141.9 43.0 144.0
102 Hokkaido Pacific West|41.3 140.0 42.8 142.1
110 Hokkaido Sea of Japan North|43.2 140.9 45.6 142.1
111 Hokkaido Sea of Japan South|41.3 139.3 43.5 141.5
120 Sea of Okhotsk|43.9 141.9 45.6 145.4
200 Aomori Sea of Japan|40.4 139.8 41.4 140.7
201 Aomori Pacific|40.4 140.7 41.6 141.8
202 Mutsu Bay|40.8 140.5 41.3 141.4
210 Iwate|38.9 141.4 40.5 142.2
220 Miyagi|37.8 140.8 39.0 141.8
230 Akita|39.1 139.6 40.5 140.2
240 Yamagata|38.5 139.4 39.2 140.0
250 Fukushima|36.8 140.7 37.9 141.2
300 Ibaraki|35.7 140.4 36.9 141.0
310 Chiba Kujukuri-Sotobo|34.8 139.8 35.8 141.0
311 Chiba Uchibo|34.8 139.7 35.4 140.1
312 Tokyo Bay|35.2 139.6 35.8 140.2
320 Izu Islands|30.3 139.0 34.9 140.4
321 Ogasawara|24.0 140.7 27.9 142.4
330 Sagami Bay-Miura|35.0 139.0 35.4 139.8
340 Niigata|36.9 137.6 38.6 139.6
341 Sado|37.7 138.1 38.4 138.7
345 Toyama|36.6 136.9 37.1 137.7
350 Ishikawa Noto|36.8 136.6 38.0 137.5
351 Ishikawa Kaga|36.2 136.2 36.9 136.8
360 Fukui|35.4 135.4 36.4 136.3
380 Shizuoka|34.5 137.4 35.2 139.2
390 Aichi Pacific|34.5 136.9 34.8 137.6
391 Ise-Mikawa Bay|34.5 136.5 35.2 137.4
400 Mie South|33.7 135.9 34.6 137.0
500 Kyoto|35.5 134.8 35.9 135.5
510 Osaka|34.2 135.0 34.8 135.5
520 Hyogo North|35.5 134.3 35.8 135.0
521 Hyogo Seto|34.2 134.2 34.9 135.5
522 Awaji South|34.1 134.6 34.4 135.0
530 Wakayama|33.4 134.9 34.4 136.1
540 Tottori|35.4 133.1 35.7 134.4
550 Shimane Izumo-Iwami|34.5 131.6 35.7 133.4
551 Oki|36.0 132.9 36.4 133.5
560 Okayama|34.3 133.3 34.8 134.4
570 Hiroshima|34.0 132.0 34.5 133.5
580 Kagawa|34.0 133.4 34.6 134.5
590 Ehime Uwa Sea|32.8 132.0 33.5 132.7
591 Ehime Seto|33.3 132.0 34.3 133.7
600 Kochi|32.7 132.4 33.7 134.4
610 Tokushima|33.5 134.2 34.3 134.8
700 Yamaguchi Sea of Japan|34.0 130.7 34.9 131.8
701 Yamaguchi Seto|33.7 130.8 34.2 132.4
710 Fukuoka Seto|33.5 130.8 34.0 131.2
711 Fukuoka Sea of Japan|33.5 129.9 34.3 131.0
712 Ariake-Yatsushiro|32.0 129.9 33.3 130.7
720 Saga North|33.3 129.7 33.7 130.1
730 Nagasaki West|31.9 128.1 33.6 130.3
731 Iki-Tsushima|33.6 129.1 34.8 129.9
740 Kumamoto Amakusa|32.0 129.8 32.6 130.3
750 Oita Seto|33.1 131.0 33.8 132.0
751 Oita Bungo|32.7 131.7 33.4 132.2
760 Miyazaki|31.3 131.0 32.9 132.0
770 Kagoshima East|30.9 130.5 31.8 131.2
771 Tanegashima-Yakushima|30.1 129.7 31.0 131.2
772 Amami-Tokara|26.9 128.2 30.2 130.1
773 Kagoshima West|31.0 129.6 32.4 130.7
800 Okinawa Main|25.9 126.6 27.2 128.4
801 Daito|24.3 131.1 26.1 131.5
802 Miyako-Yaeyama|23.9 122.8 26.0 125.6`

/** The coasts by code. */
export const COASTS: ReadonlyMap<string, Coast> = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const [, code = '', name = '', box = ''] = /^(\d{3}) ([^|]+)\|(.+)$/.exec(line) ?? []
      return [code, { name, ring: ringOf(box) }] as const
    })
)

function ringOf(box: string): Position[] {
  const [south = 0, west = 0, north = 0, east = 0] = box.split(' ').map(Number)
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south]
  ]
}
