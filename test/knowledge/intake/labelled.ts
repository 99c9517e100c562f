import type { Domain } from '../../../src/knowledge/catalogue/document.ts'

/** Descriptions as librarians and sellers write them, five of each domain: what the classifier is measured on. */
export const LABELLED: Readonly<Record<Domain, readonly (readonly [title: string, text: string])[]>> = {
  'Agriculture & Livestock': [
    [
      'The New Organic Grower',
      'A market gardener explains how he plans rotations, feeds the soil with green manure and brings lettuce to harvest in winter.'
    ],
    [
      'Keeping Backyard Hens',
      'Choosing a breed, building the run, what to feed layers, and what to do about mites and predators.'
    ],
    [
      'Small-Scale Grain Raising',
      'How to grow wheat, oats, rye and corn on a few acres, thresh them by hand and keep seed for the next season.'
    ],
    [
      'Goat Health Care',
      'Parasites, hoof trimming, kidding difficulties, milk fever and vaccination of dairy goats, for owners far from a veterinarian.'
    ],
    [
      'Soil Fertility Without Chemicals',
      'Compost heaps, legumes that fix nitrogen, mulching and how to read what weeds say about a field.'
    ]
  ],
  'Civil Organization': [
    [
      'Neighbors Helping Neighbors',
      'How a street association holds meetings, elects a chair and builds a plan for looking after elderly residents when disaster strikes.'
    ],
    [
      'Comprehensive Preparedness Guide 101',
      'Guidance for state, county and municipal government on writing emergency plans with the whole community.'
    ],
    [
      "Robert's Rules in Plain Words",
      'Motions, quorum, votes and minutes: how a committee or council can debate and decide fairly.'
    ],
    [
      'The Sphere Handbook',
      'The humanitarian charter and minimum standards for relief of people displaced by conflict and disaster.'
    ],
    [
      'Starting a Worker Cooperative',
      'Bylaws, membership, governance and law for groups who want to own an enterprise together.'
    ]
  ],
  Communications: [
    [
      'ARRL Operating Manual',
      'Nets, DX, contests and emergency traffic on the amateur bands, with procedures for message handling.'
    ],
    [
      'Simple Wire Aerials',
      'Dipoles, end-fed wires and verticals for HF that can be strung between two trees, with tuning and feed line advice.'
    ],
    [
      'Learning Morse the Easy Way',
      'Practice tables of dots and dashes and a method to copy code at fifteen words per minute.'
    ],
    [
      'Field Antenna Handbook',
      'Propagation, near vertical incidence skywave and field expedient masts for tactical radio sets.'
    ],
    [
      'Off-grid Text Messaging with LoRa',
      'Setting up handheld nodes on 915 MHz, placing relays on hills and choosing channel presets.'
    ]
  ],
  'Food Systems': [
    ['The Bread Baker at Home', 'Levain, kneading, proofing and baking of country loaves in an ordinary kitchen oven.'],
    [
      'Cooking for Fifty',
      'Quantities, menus and recipes for feeding a crowd from a church kitchen, with shopping lists.'
    ],
    [
      'Nutrition in Times of Scarcity',
      'Calories, protein and vitamins: how to put together an adequate diet from beans, rice and greens.'
    ],
    ['From Carcass to Table', 'Butchering beef, pork and lamb at home, cuts of meat and how to make sausage.'],
    [
      'Home Cheese Making',
      'Recipes for seventy-five homemade cheeses, yogurt and butter with cultures and rennet explained.'
    ]
  ],
  'Foundational Skills': [
    [
      "Ray's New Practical Arithmetic",
      'Addition, subtraction, fractions, decimals and percentage, with exercises for pupils in common schools.'
    ],
    ['First Reader', 'Short lessons in phonics and spelling that teach a child the alphabet and simple sentences.'],
    [
      'Conceptual Physics',
      'Motion, heat, sound and light for students who do not like equations; review questions at the end of each chapter.'
    ],
    [
      'How to Take Notes and Remember',
      'Study skills for students: reading actively, outlining a textbook, and memory techniques for examinations.'
    ],
    ['A Short English Grammar', 'Nouns, verbs, clauses and punctuation, with examples of good writing.']
  ],
  Logistics: [
    [
      'Running a Relief Warehouse',
      'Receiving, stacking, stock cards, pick lists and dispatch of relief goods with few staff.'
    ],
    [
      'Army Motor Transport Operations',
      'Planning convoys, march tables, loading of cargo and control of trucks on supply routes.'
    ],
    [
      'Humanitarian Supply Chain Basics',
      'Procurement, freight, customs and last mile delivery of commodities to distribution sites.'
    ],
    [
      'Packing In on Mules',
      'How pack trains haul freight where trucks cannot go: loads, panniers, string order and daily distances for transport.'
    ],
    [
      'Donations Management Annex',
      'How unsolicited goods are sorted, inventoried, stored and shipped to points of distribution.'
    ]
  ],
  Medical: [
    [
      'Where There Is No Doctor',
      'A village health care handbook: fevers, diarrhea, wounds, childbirth and when to look for help.'
    ],
    [
      'Tactical Combat Casualty Care',
      'Massive hemorrhage, airway and breathing: what a medic does under fire, with tourniquet and chest seal.'
    ],
    ['Where There Is No Dentist', 'Examining the mouth, pulling a tooth, fillings and treating gum infection.'],
    [
      'The Herbal Apothecary',
      'Tinctures, salves and teas from common plants for coughs, burns and sleeplessness, with doses.'
    ],
    ['A Book for Midwives', 'Care during pregnancy, labor and birth, and danger signs in the newborn.']
  ],
  Navigation: [
    [
      'Map Reading and Land Navigation',
      'Grid coordinates, contour lines, azimuths and moving at night with a lensatic compass.'
    ],
    [
      'Emergency Navigation',
      'Finding your way at sea without instruments: stars, sun, swell and a latitude from Polaris.'
    ],
    [
      'The American Practical Navigator',
      'Piloting, dead reckoning, tides and the sextant, with tables for sight reduction.'
    ],
    [
      'GPS for Hikers',
      'Datums, waypoints and tracks; entering UTM coordinates and what to do when the receiver fails.'
    ],
    ['Be Expert with Map and Compass', 'The orienteering handbook: bearings, pacing, declination and route choice.']
  ],
  Operations: [
    ['Ranger Handbook', 'Troop leading procedures, patrols, ambushes and orders for small units.'],
    [
      'National Incident Management System',
      'Incident command, span of control, operational periods and the forms a command staff fills in.'
    ],
    ['Mountain Operations', 'How infantry battalions move, fight and command in high terrain.'],
    [
      'Guide to Writing an Operations Order',
      'Situation, mission, execution, sustainment, command and signal: the five paragraphs with a worked platoon example.'
    ],
    [
      'Fireline Handbook',
      'Crew organization, tactics and safety of wildland fire suppression, with checklists for division supervisors.'
    ]
  ],
  'Power Systems': [
    [
      'Off Grid Solar Made Simple',
      'Sizing panels, charge controller, batteries and inverter for a cabin, with wiring diagrams.'
    ],
    [
      'Microhydro Handbook',
      'Head and flow, penstocks, turbines and generators that make electricity from a small stream.'
    ],
    ['Wiring a House', 'Circuits, breakers, grounding and boxes according to the electrical code.'],
    [
      'Construction of a Wood Gas Generator',
      'A simplified gasifier that runs a petroleum engine in an emergency, from the energy agency.'
    ],
    [
      'Lead-Acid Battery Care',
      'Charging stages, sulfation, specific gravity and how to bring back a tired deep cycle bank.'
    ]
  ],
  'Preservation & Storage': [
    [
      'Complete Guide to Home Canning',
      'Tested times for pressure canners and boiling water baths, jars, lids and headspace.'
    ],
    [
      'Root Cellaring',
      'Natural cold storage of fruits and vegetables: humidity, ventilation and which varieties keep.'
    ],
    ['Wild Fermentation', 'Sauerkraut, kimchi, pickles and miso: how salt and patience preserve vegetables.'],
    [
      'Storing Food for Twenty Years',
      'Mylar bags, oxygen absorbers, buckets and rotation of wheat, beans and powdered milk.'
    ],
    ['Smoking and Curing Meat', 'Brines, salt cures, jerky and building a small smokehouse.']
  ],
  Security: [
    ['Get Tough', 'Unarmed close combat as taught to the commandos: blows, releases and holds.'],
    ['Securing a Rural Home', 'Locks, lighting, fences, dogs and alarms that keep burglars away, layer by layer.'],
    ['Rifle Marksmanship', 'Sights, breathing and trigger squeeze, zeroing, positions and ammunition.'],
    [
      'Nuclear War Survival: Fallout Protection',
      'Blast, fallout and radiation from a nuclear attack, and what protects against them.'
    ],
    [
      'Practical Cryptography for Activists',
      'Passwords, encryption of messages and disks, and how to notice surveillance.'
    ]
  ],
  'Shelter & Construction': [
    [
      'Earthbag Building',
      'Tools, tricks and techniques for walls and domes of tamped bags, from foundation to plaster.'
    ],
    ['Carpentry for Beginners', 'Laying out rafters, framing walls, hanging doors and finishing stairs.'],
    ['Concrete Masonry Handbook', 'Mortar mixes, laying block, footings and reinforcing of walls.'],
    [
      'Transitional Shelter Guidelines',
      'Design of family shelters after earthquakes, with tarpaulins, timber frames and roofing sheets.'
    ],
    ['How to Build a Log Cabin', 'Choosing logs, notching corners, chinking, roof and fireplace.']
  ],
  Technology: [
    ['Linux Pocket Guide', 'Essential commands, files, processes and shell scripts.'],
    [
      'Practical Electronics for Inventors',
      'Resistors, transistors, op amps, microcontrollers and how to solder a circuit on a board.'
    ],
    ['Automate the Boring Stuff', 'Programming in Python for people who never wrote code: lists, files, web scraping.'],
    ['Building a Raspberry Pi Server', 'Flashing the card, network addresses, a web server and backups at home.'],
    [
      'Desktop 3D Printing',
      'Slicing models, choosing filament and calibrating the printer; designing parts in CAD software.'
    ]
  ],
  'Tools & Equipment': [
    ['The Complete Modern Blacksmith', 'Setting up a forge, making tongs, tempering and tools made from scrap steel.'],
    ['Sharpening Edge Tools', 'Grinding and honing chisels, plane irons, knives and axes on stones.'],
    ['Welding Essentials', 'Arc, gas and wire-feed welding: joints, electrodes, settings and safety in the shop.'],
    ['Metal Lathe Projects', 'Turning, boring and cutting threads for the home machinist.'],
    ['An Axe to Grind', 'A practical manual about hanging, filing and using axes and crosscut saws.']
  ],
  Vehicles: [
    [
      'How to Keep Your Truck Alive',
      'Tune-ups, brakes, clutch and cooling system explained for the owner without a garage.'
    ],
    [
      'Bicycle Maintenance Manual',
      'Truing wheels, adjusting derailleurs, replacing chains and fixing punctured tires.'
    ],
    ['Diesel Engine Service', 'Injection pumps, head gaskets, compression tests and overhaul of tractor engines.'],
    [
      'Small Outboard Repair',
      'Spark plugs, carburetor, propeller and lower unit of outboard motors up to fifteen horsepower.'
    ],
    [
      'Student Pilot Guide',
      'Airplane controls, stalls, weather minimums and what to learn before the first solo flight.'
    ]
  ],
  'Water Systems': [
    [
      'Rainwater Collection for the Mechanically Challenged',
      'Gutters, first flush, cisterns and pumps for a household supply.'
    ],
    ['Hand Dug Wells', 'Lining, deepening and covering shallow wells, with hand pumps and tests for contamination.'],
    [
      'Emergency Disinfection of Drinking Water',
      'How much bleach to add per gallon, boiling times and filtering cloudy water.'
    ],
    ['Slow Sand Filtration', 'Design and upkeep of filters that clean surface water for villages.'],
    ['Latrine Building', 'Pit, ventilated and composting toilets: siting, slabs and keeping the groundwater clean.']
  ],
  'Wilderness Skills': [
    ['Bushcraft 101', 'Knife, cordage, cover and fire: living with little in the woods.'],
    [
      'FM 21-76 Survival',
      'Shelters, traps and snares, edible plants and signaling for stranded soldiers in desert, arctic and jungle.'
    ],
    [
      "Peterson's Wild Edibles",
      'How to know roots, berries and greens that can be eaten, with lookalikes that are poisonous.'
    ],
    ['The Ashley Book of Knots', 'Bends, hitches and splices for every use, with drawings.'],
    ['Tracking and Reading Sign', 'Tracks of deer, bear and fox, gait patterns and how to age them in mud and snow.']
  ]
}

/** Texts nobody could file without asking; each with a domain that must be among the candidates, when any is known. */
export const AMBIGUOUS: readonly (readonly [title: string, text: string, among: Domain | null])[] = [
  ['Untitled', 'Page intentionally left blank.', null],
  ['Notes', 'To do on Tuesday: call John, see also the other list.', null],
  ['Annual Report 1987', 'The board thanks its members. The year under review was a good one in many ways.', null],
  [
    'Whole Earth Almanac',
    'Goats and gardens, radio antennas, well drilling, solar panels, first aid, canning, log cabins, compasses and blacksmithing: something of everything.',
    null
  ],
  ['Radio and Medicine at Sea', 'Antennas, transceivers and call signs; wounds, fractures and antibiotics.', 'Medical'],
  ['Kitchen and Barn', 'Recipes, baking and meal plans; livestock, pasture and hay.', 'Food Systems'],
  ['Brochure', 'Solar panels and inverters. Cisterns and drinking water.', 'Power Systems'],
  ['Catalogue of Surplus', 'Item, price, order number, color, size.', null],
  ['Compass and Tourniquet', 'Map reading, azimuth, latitude. Triage, suture, splint.', 'Navigation'],
  ['Letter', 'Dear friend, thank you for the kind words you sent to me in May.', null]
]
