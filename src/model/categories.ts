import type { Severity } from './vocabulary.ts'

/** One kind of event: id, default severity, what it means, and a text a listener might read. */
export type CategoryRow = readonly [id: string, severity: Severity, description: string, example: string]

/** Categories of the hazard families, family by family. Contract §2; the texts are samples, never sent. */
export const HAZARD_CATEGORIES = {
  weather: [
    [
      'weather_warning',
      'priority',
      'Warning: happening or imminent',
      'Winter Storm Warning: Blaine, Camas until 6 PM Sat'
    ],
    ['weather_watch', 'routine', 'Watch: possible soon', 'High Wind Watch: Elmore, Gooding from Fri noon'],
    [
      'weather_advisory',
      'routine',
      'Advisory: a nuisance, take care',
      'Wind Advisory: Twin Falls until 9 PM, gusts 50 mph'
    ],
    ['weather_statement', 'routine', 'Statement or outlook', 'Special Weather Statement: small hail near Jerome']
  ],
  fire: [
    [
      'fire_weather_warning',
      'priority',
      'Red flag warning',
      'Red Flag Warning: Camas Prairie until 9 PM, wind and 8 % humidity'
    ],
    ['fire_weather_watch', 'priority', 'Fire weather watch', 'Fire Weather Watch: Owyhee Mountains Sat noon to 9 PM'],
    ['fire_warning', 'critical', 'Fire threatens people', 'Fire Warning: Croy Creek, be ready to leave'],
    ['smoke_advisory', 'routine', 'Dense smoke', 'Dense Smoke Advisory: Hailey until noon'],
    [
      'new_ignition',
      'priority',
      'Hotspots away from any known fire',
      'New heat 12 km NE of Fairfield, 4 pixels, 90 MW'
    ],
    [
      'wildfire_declared',
      'priority',
      'A new fire has a name',
      'New fire: Willow, 240 ac, 0 % contained, 8 km W of Hill City'
    ],
    ['wildfire_incident', 'priority', 'A known fire changed', 'Willow fire: 1 900 ac, 10 % contained'],
    [
      'unattributed_hotspot_cluster',
      'priority',
      'Several hotspots together',
      '6 hotspots within 2 km, 20 km S of Bliss'
    ],
    ['wildfire_growth', 'critical', 'A fire is moving', 'Willow fire runs NE at 2 km/h toward Fairfield'],
    ['wildfire_halted', 'routine', 'A fire stopped growing', 'Willow fire: no growth for 14 h'],
    [
      'wildfire_spotting',
      'immediate',
      'Fire jumps ahead of its front',
      'Willow fire: spotting 3 km ahead, NE of the line'
    ],
    ['wildfire_hotspot', 'routine', 'A single satellite pixel', 'Heat at 43.21, -114.80, confidence high, 12 MW'],
    ['wildfire_closed', 'priority', 'A fire is out', 'Willow fire is declared out']
  ],
  rf_propagation: [
    [
      'rf_anomalous_propagation',
      'routine',
      'Signals bend further than usual',
      'Super-refraction over the plain, VHF may carry far'
    ],
    [
      'rf_ducting_enhancement',
      'priority',
      'A duct carries VHF and UHF far',
      'Duct 200-350 m: expect distant stations on UHF'
    ],
    [
      'rf_propagation_alert',
      'priority',
      'Radio blackout or other product',
      'R2 radio blackout: HF poor on the day side for 40 min'
    ],
    ['solar_radiation_storm', 'priority', 'Proton flux above S1', 'S2 radiation storm: polar HF paths poor'],
    ['geomagnetic_storm', 'priority', 'Geomagnetic storm', 'G3 storm, Kp 7: HF unsettled, aurora far south'],
    ['hf_blackout', 'priority', 'HF is out', 'R3 blackout: HF out for an hour on the day side'],
    ['tropospheric_ducting', 'routine', 'Surface duct', 'Surface duct until morning along the river']
  ],
  roads: [
    ['road_closure', 'critical', 'A whole road is closed', 'ID-75 closed both ways at Galena Summit, rock slide'],
    ['traffic_congestion', 'routine', 'Slow traffic', 'I-84 west at Jerome: 55 of 130 km/h'],
    ['work_zone', 'routine', 'Road works', 'US-93 at MP 60: one lane, 70 km/h'],
    ['road_incident', 'priority', 'Crash or obstacle', 'US-20 MP 150: crash, right lane blocked']
  ],
  avalanche: [
    ['avalanche_warning', 'critical', 'Danger high or extreme', 'Avalanche Warning: Soldier Mountains, danger 4 of 5'],
    ['avalanche_watch', 'priority', 'Danger high is possible', 'Avalanche Watch: Smoky Mountains from Tue evening'],
    ['avalanche_advisory', 'routine', 'Avalanche advisory', 'Avalanche Advisory: steep slopes above 2 500 m'],
    ['avalanche_considerable', 'priority', 'Danger considerable', 'Considerable danger on wind-loaded slopes']
  ],
  seismic: [
    ['earthquake_event', 'routine', 'Earthquake', 'M 4.2, 23 km ESE of Stanley, 10 km deep'],
    ['tsunami_warning', 'immediate', 'Tsunami expected', 'Tsunami Warning: leave the shore for high ground'],
    ['tsunami_watch', 'critical', 'Tsunami possible', 'Tsunami Watch: be ready to leave the shore'],
    ['tsunami_advisory', 'critical', 'Strong currents at the shore', 'Tsunami Advisory: leave the shore and boats'],
    [
      'tsunami_statement',
      'routine',
      'No tsunami danger, or none known',
      'Tsunami Information: no danger to this coast'
    ],
    ['volcano_warning', 'critical', 'Volcano threatens people', 'Volcano Warning: mudflows in the valley'],
    [
      'volcano_watch',
      'priority',
      'Volcano may erupt, or erupts with little danger',
      'Volcano Watch: Kilauea, lava fountains'
    ],
    [
      'volcano_advisory',
      'routine',
      'Volcano is restless, or ash falls',
      'Volcano Advisory: Great Sitkin, small earthquakes'
    ],
    ['geological_hazard', 'priority', 'Landslide and other ground hazards', 'Landslide risk along the canyon rim'],
    ['stream_flow', 'routine', 'A gauge reading', 'Big Wood River at Hailey 1.8 m'],
    [
      'stream_flood_warning',
      'critical',
      'A gauge is above flood stage',
      'Big Wood River at Hailey 2.1 m, flood stage 1.8 m'
    ],
    ['stream_high_water', 'routine', 'A gauge is at action stage', 'Camas Creek near Fairfield at action stage']
  ],
  satpass: [['sat_pass', 'routine', 'A satellite passes', 'ISS rises 19:32 NW, 75° high, sets 19:38 SE']],
  emergency: [
    ['emergency_evacuation', 'immediate', 'Leave now', 'Evacuate Croy Creek now, go east on Bullion Street'],
    [
      'emergency_civil',
      'critical',
      'Civil emergency or danger',
      'Civil danger in Shoshone: armed man, lock your doors'
    ],
    ['emergency_water', 'priority', 'Water or food is not safe', 'Boil tap water in Shoshone until further notice'],
    ['emergency_amber', 'immediate', 'A child is abducted', 'AMBER: grey pickup, plate 2B 7741, last seen in Jerome'],
    ['emergency_missing', 'priority', 'Somebody is missing', 'SILVER: man of 81, blue coat, last seen in Rupert'],
    [
      'emergency_law',
      'critical',
      'Police: stay inside, stay away',
      'Shelter in place around Main Street, police at work'
    ],
    ['emergency_911_outage', 'critical', '911 is down', '911 is down in Gooding County: call 208-555-0100'],
    [
      'emergency_hazmat',
      'immediate',
      'Chemical, nuclear or radiological danger',
      'Ammonia leak in Burley: stay inside within 2 km'
    ]
  ],
  tracking: []
} as const satisfies Record<string, readonly CategoryRow[]>

/** Categories of what the mesh tells about itself. Contract §2. */
export const MESH_CATEGORIES = [
  ['infra_offline', 'priority', 'A repeater is silent', 'Repeater Bald Mtn not heard for 2 h'],
  ['critical_node_down', 'immediate', 'A critical node is down', 'Bald Mtn, marked critical, is down'],
  ['infra_recovery', 'routine', 'A repeater is back', 'Bald Mtn is back after 2 h'],
  ['new_router', 'routine', 'A new router appeared', 'New router in Valley: Kimberly Roof'],
  ['battery_warning', 'routine', 'Battery low', 'Bald Mtn battery 28 %'],
  ['battery_critical', 'priority', 'Battery very low', 'Bald Mtn battery 13 %, about 9 h left'],
  ['battery_emergency', 'immediate', 'Shutdown is near', 'Bald Mtn battery 4 %, shuts down soon'],
  ['battery_trend', 'routine', 'Battery sinks day by day', 'Bald Mtn: 85 to 62 % in seven days'],
  ['power_source_change', 'priority', 'Power source changed', 'Bald Mtn runs on battery now'],
  ['solar_not_charging', 'priority', 'No solar charge by daylight', 'Bald Mtn: no charge since 9 AM'],
  ['high_utilization', 'routine', 'Channel busy', 'Channel use 47 %, limit 40 %'],
  ['sustained_high_util', 'priority', 'Channel busy for hours', 'Channel use above 45 % for 3 h'],
  ['packet_flood', 'priority', 'A node sends far too much', 'Node Truck 7 sends 20 packets a minute'],
  ['infra_single_gateway', 'priority', 'Redundancy lost', 'Bald Mtn is heard by one gateway only'],
  ['feeder_offline', 'priority', 'A gateway is silent', 'Gateway Hailey silent for 30 min'],
  ['region_total_blackout', 'immediate', 'A whole region is silent', 'Highlands: all infrastructure offline'],
  ['mesh_score_low', 'priority', 'The mesh is in poor health', 'Mesh score 62 of 100'],
  ['region_score_low', 'priority', 'A region is in poor health', 'Foothills score 55 of 100']
] as const satisfies readonly CategoryRow[]
