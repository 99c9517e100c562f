/**
 * Hazards that have a word in every language, each with the English names of products that mean it: those of the NWS, of MeteoAlarm, of
 * the JMA and of the DWD in English, without their level. Lower case. A product that is not here says too little without its prose
 * (`special weather`, `civil emergency message`) and goes out whole in the tongue of its source.
 */
export const HAZARD_NAMES = {
  tornado: ['tornado', 'waterspout'],
  severe_thunderstorm: ['severe thunderstorm', 'heavy thunderstorms', 'severe thunderstorms', 'heavy thunderstorm'],
  thunderstorm: ['thunderstorm', 'thunderstorms', 'lightning'],
  hail: ['hail', 'hailstorm'],
  flash_flood: ['flash flood'],
  flood: ['flood', 'flooding', 'river flood', 'areal flood', 'small stream flood', 'urban and small stream flood'],
  coastal_flood: ['coastal flood', 'lakeshore flood', 'coastal event', 'coastalevent'],
  rain: ['rain', 'rainfall', 'heavy rain', 'heavy rainfall', 'persistent rain', 'rain-flood', 'extremely heavy rain'],
  landslide: ['landslide', 'debris flow', 'mudslide'],
  winter_storm: ['winter storm'],
  winter_weather: ['winter weather', 'snow-ice', 'snow and ice', 'snow/ice', 'gale and snow'],
  blizzard: ['blizzard', 'snow storm', 'snowstorm', 'blowing snow'],
  snow: ['snow', 'heavy snow', 'snowfall', 'lake effect snow', 'heavy snowfall', 'snow squall'],
  ice: ['ice', 'ice storm', 'freezing rain', 'freezing drizzle', 'glaze', 'black ice', 'ice accretion', 'flash freeze'],
  cold: [
    'cold',
    'extreme cold',
    'cold weather',
    'wind chill',
    'low temperature',
    'low-temperature',
    'low temperatures'
  ],
  frost: ['frost', 'freeze', 'hard freeze', 'severe frost'],
  heat: [
    'heat',
    'extreme heat',
    'excessive heat',
    'high temperature',
    'high-temperature',
    'high temperatures',
    'heat wave'
  ],
  wind: ['wind', 'lake wind', 'winds', 'brisk wind', 'gusts', 'wind gusts', 'strong wind'],
  high_wind: [
    'high wind',
    'extreme wind',
    'gale-force gusts',
    'storm-force gusts',
    'violent storm gusts',
    'strong winds'
  ],
  gale: ['gale'],
  storm: ['storm'],
  hurricane_wind: ['hurricane force wind', 'hurricane-force gusts', 'hurricane local', 'hurricane-force winds'],
  hurricane: ['hurricane'],
  typhoon: ['typhoon'],
  tropical_storm: ['tropical storm', 'tropical cyclone'],
  storm_surge: ['storm surge'],
  small_craft: ['small craft', 'small craft advisory for hazardous seas'],
  marine: ['special marine', 'marine weather', 'marine'],
  seas: ['hazardous seas', 'high wave', 'heavy seas', 'high surf', 'surf'],
  freezing_spray: ['freezing spray', 'heavy freezing spray'],
  rip_current: ['rip current', 'beach hazards'],
  low_water: ['low water'],
  fog: ['fog', 'dense fog', 'freezing fog'],
  smoke: ['dense smoke', 'smoke'],
  dust: ['dust', 'dust storm', 'blowing dust', 'sandstorm', 'sand storm', 'duststorm'],
  ashfall: ['ashfall', 'volcanic ash'],
  air_quality: ['air quality', 'air stagnation', 'smog'],
  fire_weather: [
    'red flag',
    'fire weather',
    'forest-fire',
    'forest fire',
    'forestfire',
    'extreme fire danger',
    'dry air'
  ],
  fire: ['fire', 'wildfire', 'bushfire', 'grass fire'],
  avalanche: ['avalanche', 'avalanches'],
  tsunami: ['tsunami'],
  volcano: ['volcano', 'volcanic activity', 'volcanic eruption'],
  earthquake: ['earthquake'],
  drought: ['drought'],
  nuclear: ['nuclear power plant'],
  radiation: ['radiological hazard'],
  hazmat: ['hazardous materials', 'chemical hazard'],
  evacuation: ['evacuation immediate', 'evacuation - immediate', 'immediate evacuation', 'evacuation order'],
  shelter: ['shelter in place', 'shelter in place warning'],
  phone_outage: ['911 telephone outage', '911 telephone outage emergency']
} as const satisfies Readonly<Record<string, readonly string[]>>
export type Hazard = keyof typeof HAZARD_NAMES

/** Whose prose says which streets, which agent, where to go: without it nobody knows what to do. */
export const PROSE_MATTERS: ReadonlySet<Hazard> = new Set<Hazard>([
  'evacuation',
  'shelter',
  'hazmat',
  'nuclear',
  'radiation',
  'phone_outage'
])

/** The hazard of a category (docs/severity.md), for a network that has a scale of colours beside names of its own. */
export const OF_CATEGORY: ReadonlyMap<string, Hazard> = new Map(
  Object.entries({
    tornado: 'tornado',
    tropical: 'tropical_storm',
    thunderstorm: 'thunderstorm',
    flood: 'flood',
    rain: 'rain',
    winter: 'winter_weather',
    cold: 'cold',
    heat: 'heat',
    wind: 'wind',
    fog: 'fog',
    dust: 'dust',
    air: 'air_quality'
  } satisfies Record<string, Hazard>)
)

/** The levels at the end of names, the longest first. */
export const LEVEL_NAMES = {
  danger: 'danger warning',
  emergency: 'emergency warning',
  warning: 'warning',
  watch: 'watch',
  advisory: 'advisory',
  statement: 'statement',
  outlook: 'outlook',
  alert: 'alert'
} as const
export type Level = keyof typeof LEVEL_NAMES

/** Calls that services write again and again, by what they ask. The first that fits the whole sentence. */
export const CALL_PATTERNS = {
  higher_ground:
    /^(?:(?:immediately )?(?:move|go|get|climb) (?:immediately |now )?to (?:higher|high) ground|seek higher ground)(?: (?:now|immediately|at once))*$/i,
  leave_coast:
    /^(?:leave|evacuate) (?:the )?coast(?:s|al areas?)?(?: and riversides)?(?: (?:now|at once|immediately))?(?: for high ground)?$|^(?:move|go) inland(?: (?:now|or to high(?:er)? ground))*$/i,
  leave_water:
    /^(?:(?:stay|remain|keep|get) out of (?:the )?(?:water|sea)(?: and (?:off|away from) (?:the )?(?:beach(?:es)?|coast|shore))?|leave the (?:water|sea)|stay away from (?:the )?(?:beach(?:es)?|coast|shore)|.*\bswimmers (?:should )?(?:stay|remain) out of the water)(?: .{0,20})?$/i,
  cover: /^(?:take (?:cover|shelter)|shelter|seek (?:shelter|cover))(?: (?:now|immediately|at once))*$/i,
  inner_room: /^(?:go|move|get) (?:now |immediately )?to (?:a basement|an? (?:inner|interior) room)\b[^.;\d]{0,80}$/i,
  indoors:
    /^(?:(?:stay|remain|go|get|seek shelter|shelter) (?:indoors|inside)(?: a (?:sturdy )?building)?)(?: (?:now|immediately))?$/i,
  close_windows:
    /^(?:stay (?:indoors|inside)(?:,| and) )?(?:close|shut|keep) (?:(?:all|your) )?(?:windows and doors|doors and windows|windows)(?: (?:closed|shut))?$/i,
  windows: /^(?:(?:stay|keep) )?(?:well )?(?:away from|avoid) windows$/i,
  no_flood_water:
    /^(?:turn around,? don'?t drown|avoid flooded (?:areas|roads)|(?:never|do not|don'?t) (?:walk or drive|drive or walk|drive|walk)(?: or (?:walk|drive))? (?:through|into|across) .{0,20}(?:water|roads|areas)|stay away from (?:the )?(?:water|streams|rivers)(?: or be swept away)?)$/i,
  evacuate: /^(?:evacuate|leave)(?: (?:now|immediately|at once))+$/i,
  leave_danger: /^Level 4: everybody leave places in danger now$|^Residents in danger: leave$/i,
  save_yourself: /^(?:Level 5: lives in danger, save yourself now|Protect your life now|Residents in danger)$/i,
  elderly_leave:
    /^(?:Level 3: elderly and infirm leave places in danger|Elderly and infirm leave, others prepare to)$/i,
  prepare: /^(?:be ready to (?:leave|evacuate)|prepare to (?:leave|evacuate)|get ready to leave)(?: .{0,16})?$/i,
  no_volcano: /^do not approach the (?:volcano|crater)$/i,
  avalanche_terrain: /^(?:avoid|stay (?:out of|off)|do not travel in) (?:all )?avalanche terrain$/i,
  drop: /^drop,? cover,?(?: and)? hold on$/i,
  boil_water: /^boil (?:tap |drinking |your )?water(?: before (?:use|drinking))?$/i,
  no_water: /^do not (?:drink|use) (?:the )?(?:tap )?water$/i,
  drive_care: /^(?:drive with care|slow down(?:, use low beams)?|drive carefully)$/i,
  travel: /^(?:delay travel(?: if possible)?|avoid travel|do not travel|stay off (?:the )?roads)$/i,
  stay_in_port:
    /^(?:stay in port|small boats stay in port|move to safe harbor|mariners: alter plans|ships keep away)$/i,
  secure: /^secure loose objects$/i,
  drink: /^drink plenty of (?:fluids|water)$/i,
  media: /^(?:check|monitor|listen to|follow) (?:local )?(?:media|radio)(?: .{0,24})?$/i,
  short_texts: /^Keep messages short and few$/i
} as const
export type Call = keyof typeof CALL_PATTERNS
