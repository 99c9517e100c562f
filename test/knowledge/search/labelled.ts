/**
 * A small labelled set, written for this: what a field library holds, and what people ask it. Queries name the passages
 * that answer them: 2 answers the question, 1 belongs to it.
 */
export interface LabelledPassage {
  id: string
  domain: string
  title: string
  text: string
}

export interface LabelledQuery {
  kind: 'words' | 'paraphrase' | 'typo'
  q: string
  relevant: Readonly<Record<string, 1 | 2>>
}

const passage = (id: string, domain: string, title: string, text: string): LabelledPassage => ({
  id,
  domain,
  title,
  text
})

export const PASSAGES: readonly LabelledPassage[] = [
  passage(
    'boil',
    'Water Systems',
    'Boiling water',
    'Bring clear water to a rolling boil for one minute; above 2000 metres boil it for three. Boiling kills bacteria, viruses and parasites but does not remove chemicals or silt. Let it cool with the lid on and pour it between two clean vessels to take away the flat taste.'
  ),
  passage(
    'bleach',
    'Water Systems',
    'Disinfection with household bleach',
    'Use plain unscented sodium hypochlorite of 5 to 9 percent. Add two drops to each litre of clear water, four when it is cloudy, stir and wait thirty minutes. A faint chlorine smell should remain; if there is none, repeat the dose and wait another fifteen minutes.'
  ),
  passage(
    'sand-filter',
    'Water Systems',
    'Slow sand filter',
    'A slow sand filter is a barrel of fine washed sand over gravel with an outlet above the top of the sand. A living layer grows on the surface within three weeks and removes most germs. Never let the sand dry out, and scrape off the upper two centimetres when the flow becomes too slow.'
  ),
  passage(
    'solar-disinfection',
    'Water Systems',
    'Sunlight treatment in bottles',
    'Fill transparent PET bottles with clear water, shake them to add air and lay them on a metal roof for six hours of full sun, or two days under clouds. Ultraviolet light and warmth inactivate germs. Turbid water must be strained first.'
  ),
  passage(
    'rain',
    'Water Systems',
    'Collecting rain from a roof',
    'One millimetre of rain on one square metre of roof yields about one litre. Lead the first flush of each shower away because it carries dust and bird droppings. Store the rest in a dark covered cistern with a screen against mosquitoes.'
  ),
  passage(
    'well',
    'Water Systems',
    'Where to dig a well',
    'Dig a well uphill from and at least thirty metres away from latrines, animal pens and graves. Line the upper three metres so that surface water cannot seep in, and raise the rim above flood level. Test for nitrate, arsenic and coliform bacteria before anyone drinks from it.'
  ),
  passage(
    'latrine',
    'Civil Organization',
    'Pit latrines',
    'A simple pit of two metres depth serves a family for some years. The bottom must stay at least one and a half metres above the water table. Cover each use with ash or soil, keep a lid on the hole against flies, and place a hand-washing station beside the door.'
  ),
  passage(
    'rehydration',
    'Medical',
    'Oral rehydration solution',
    'Dissolve six level teaspoons of sugar and half a teaspoon of salt in one litre of safe water. Give small sips every few minutes to anybody with diarrhoea or vomiting; a child under two needs about a quarter of a cup after every loose stool. Seek help when there is blood, sunken eyes or no urine for eight hours.'
  ),
  passage(
    'tourniquet',
    'Medical',
    'Tourniquet for severe bleeding',
    'When direct pressure does not stop bleeding from an arm or a leg, put a tourniquet five to eight centimetres above the wound, never on a joint. Tighten the windlass until the bleeding ends and the pulse below is gone. Write the time on it and do not loosen it before a surgeon takes over.'
  ),
  passage(
    'pressure',
    'Medical',
    'Direct pressure and packing',
    'Press firmly with a clean cloth on the wound and keep pressing for ten minutes without looking. Pack deep wounds of groin, armpit or neck with gauze and press on top of it. Raise the limb, add cloths over soaked ones and treat for shock.'
  ),
  passage(
    'cpr',
    'Medical',
    'Cardiopulmonary resuscitation',
    'If a person does not respond and does not breathe normally, push hard and fast in the centre of the chest, five to six centimetres deep, one hundred to one hundred and twenty times a minute. After thirty compressions give two breaths if you are trained. Use a defibrillator as soon as one arrives.'
  ),
  passage(
    'choking',
    'Medical',
    'Choking adult',
    'Ask the person to cough. If no air moves, give five blows between the shoulder blades with the heel of the hand, then five abdominal thrusts from behind, and alternate. When they become unconscious lower them to the ground and start chest compressions.'
  ),
  passage(
    'fracture',
    'Medical',
    'Splinting a broken limb',
    'Immobilise the joint above and the joint below the break. Pad a board, a rolled mat or a branch and tie it in four places, never over the fracture itself. Check warmth, feeling and pulse beyond the splint before and after, and every fifteen minutes.'
  ),
  passage(
    'burn',
    'Medical',
    'Burns and scalds',
    'Cool the burn under running water of fifteen to twenty degrees for twenty minutes. Take off rings before the swelling begins. Cover loosely with plastic film or a clean cloth, do not open blisters and put neither butter nor ice on the skin.'
  ),
  passage(
    'hypothermia',
    'Medical',
    'Hypothermia',
    'Shivering, stumbling, mumbling and fumbling are the early signs of a falling body temperature. Shelter the patient from wind, replace wet clothing, insulate from the ground and give warm sweet drinks if they can swallow. Handle a person who has stopped shivering very gently and keep them lying flat: the heart may stop.'
  ),
  passage(
    'heatstroke',
    'Medical',
    'Heat stroke',
    'A hot confused person with a temperature above forty degrees is in danger of death. Cool first and transport second: cold water immersion, or wet sheets and fanning, until thirty-nine degrees. Heat exhaustion shows sweating, headache and nausea and needs shade, rest and salted fluids.'
  ),
  passage(
    'snake',
    'Medical',
    'Snake bite',
    'Keep the patient still and the bitten limb at the level of the heart. Remove rings and watches, mark the edge of the swelling with the time and carry the person to a hospital with antivenom. Do not cut, suck, cool or tie off the bite.'
  ),
  passage(
    'carbon-monoxide',
    'Medical',
    'Carbon monoxide',
    'Generators, grills and blocked stoves give off a gas that has neither colour nor smell. Headache, dizziness and sleepiness of several people in one room are the warning. Bring everybody into fresh air, open the windows, and run engines only outdoors, six metres from any opening.'
  ),
  passage(
    'wound-care',
    'Medical',
    'Cleaning a wound',
    'Wash your hands, then rinse the wound with a litre of drinkable water from a bag with a small hole. Remove dirt with tweezers, leave deep or bitten wounds open and change the dressing daily. Redness that spreads, pus, fever or a bad smell mean infection.'
  ),
  passage(
    'dental',
    'Medical',
    'Lost filling or broken tooth',
    'Rinse with warm salt water and cover the hole with temporary cement of zinc oxide and oil of cloves, or with sugar-free gum. A tooth that was knocked out is held by its crown, rinsed in milk and pushed back within an hour.'
  ),
  passage(
    'antenna',
    'Communications',
    'Half-wave dipole',
    'The length of a half-wave dipole in metres is 142.5 divided by the frequency in megahertz. Feed it in the middle with fifty ohm coaxial cable, hang it at least a quarter of a wavelength high and away from metal. Trim both ends equally until the standing wave ratio is lowest at the wanted frequency.'
  ),
  passage(
    'repeater',
    'Communications',
    'Using a repeater',
    'A repeater listens on one frequency and sends on another one at the same time. Set the offset and the access tone (CTCSS) of the machine, listen before you talk and wait for the tail before speaking. In an emergency say break twice and state your call sign.'
  ),
  passage(
    'lora',
    'Communications',
    'LoRa mesh settings',
    'A higher spreading factor and a narrower bandwidth reach further but need more airtime for each message. All nodes of a mesh must share region, preset and channel key. Put the antenna on before power is applied, or the transmitter may be damaged.'
  ),
  passage(
    'duty-cycle',
    'Communications',
    'Duty cycle',
    'In the European 868 MHz band a station may transmit only a part of every hour: one percent in most sub-bands, ten percent at 869.4 to 869.65 MHz. Count the time on air of each frame, short texts cost less. Leave room for emergencies.'
  ),
  passage(
    'morse',
    'Communications',
    'Distress in Morse code',
    'SOS is three short, three long and three short signals sent as one character without gaps. Repeat it with a lamp, a whistle or a mirror, pause a minute, and repeat. Three of anything, fires, blasts or rock piles, is understood as a call for help in the mountains.'
  ),
  passage(
    'phonetic',
    'Communications',
    'Spelling alphabet',
    'Alfa, Bravo, Charlie, Delta, Echo, Foxtrot, Golf, Hotel, India, Juliett, Kilo, Lima, Mike, November, Oscar, Papa, Quebec, Romeo, Sierra, Tango, Uniform, Victor, Whiskey, Xray, Yankee, Zulu. Numbers are spoken digit by digit; nine is niner so that it is not taken for five.'
  ),
  passage(
    'nvis',
    'Communications',
    'Near vertical incidence skywave',
    'Signals sent almost straight up on 3 to 8 MHz come back from the ionosphere over a circle of four hundred kilometres and so cross mountains that block line of sight. Hang the wire only three to five metres above the ground. Use 40 metres by day and 80 metres at night.'
  ),
  passage(
    'battery',
    'Power Systems',
    'Lead-acid batteries',
    'Never discharge a lead-acid battery below half of its capacity, and store it full. Resting voltage of 12.7 volts means full, 12.2 half, 11.9 empty. Hydrogen escapes while charging: ventilate, no flames. Top up cells with distilled water only.'
  ),
  passage(
    'lifepo4',
    'Power Systems',
    'Lithium iron phosphate',
    'LiFePO4 cells last for three thousand cycles and keep a flat voltage until they are almost empty. They must not be charged below freezing point. A battery management system balances the cells and disconnects at over-current, low and high voltage.'
  ),
  passage(
    'solar-size',
    'Power Systems',
    'Sizing a solar panel',
    'Add up the watt-hours used in a day, divide by the hours of full sun in the worst month, and take half as much again for losses. A repeater of one watt needs 24 watt-hours a day; with two hours of winter sun a 20 watt panel is the least. Give the battery five days of reserve.'
  ),
  passage(
    'generator',
    'Power Systems',
    'Running a generator',
    'Start a petrol generator without load, let it warm for two minutes and connect the largest consumer first. Refuel only when it is cold. Ethanol fuel spoils within three months unless a stabiliser is added. Change the oil after fifty hours.'
  ),
  passage(
    'shelter-debris',
    'Shelter & Construction',
    'Debris hut',
    'Lean a ridge pole as long as you are tall plus an arm on a stump, set ribs along both sides and heap leaves an arm deep over them. Fill the inside with dry leaves as well: the small room is heated by your body alone. The entrance faces away from the wind.'
  ),
  passage(
    'snow-cave',
    'Shelter & Construction',
    'Snow cave',
    'Dig into a firm drift, first in and then up, so that the sleeping bench lies higher than the entrance and warm air stays inside. Smooth the ceiling to a dome so that it does not drip. Poke a ventilation hole as wide as a fist and keep a shovel within.'
  ),
  passage(
    'earthquake-home',
    'Shelter & Construction',
    'Houses and earthquakes',
    'Bolt shelves, boilers and gas bottles to the wall. Brick chimneys and unreinforced gables fall first. After the shaking turn off gas at the meter if you smell it, look for cracks through the foundation, and expect aftershocks before you go back in.'
  ),
  passage(
    'fire-bow',
    'Wilderness Skills',
    'Fire with a bow drill',
    'Spindle and hearth board are of the same dry soft wood, such as willow, linden or cedar. Cut a notch of an eighth of a circle into the hole, press and saw with long even strokes until black powder smokes by itself, and tip the ember into a bird nest of dry bark.'
  ),
  passage(
    'fire-wet',
    'Wilderness Skills',
    'Lighting a fire in the rain',
    'Split thick wood: its inside is dry. Birch bark and resinous pine burn even when damp. Build a platform of green sticks, keep tinder inside your jacket, and make the first flame small and shielded until the kindling dries.'
  ),
  passage(
    'edible-test',
    'Wilderness Skills',
    'Testing unknown plants',
    'Eat nothing you do not know unless you starve. Separate leaf, root and fruit, test one part at a time: on the skin of the elbow for eight hours, on the lip, the tongue, then a teaspoon boiled and eight hours of waiting. Never do this with mushrooms.'
  ),
  passage(
    'navigation-sun',
    'Navigation',
    'Direction by watch and sun',
    'In the northern hemisphere point the hour hand of a watch at the sun; south lies halfway between it and twelve, on summer time and one. A stick and the tip of its shadow marked twice within half an hour give a line from west to east.'
  ),
  passage(
    'compass',
    'Navigation',
    'Map and compass bearing',
    'Lay the edge of the compass from where you are to where you want to go, turn the housing until its lines run parallel to the grid, then add or subtract declination. Hold it level, turn yourself until the needle is in its box, and walk to a mark in line.'
  ),
  passage(
    'north-star',
    'Navigation',
    'Finding the pole star',
    'Prolong the line through the two outer stars of the Plough five times: there stands Polaris, within one degree of true north. Its height above the horizon equals your latitude. Cassiopeia lies on the other side when the Plough is below the trees.'
  ),
  passage(
    'canning',
    'Preservation & Storage',
    'Pressure canning',
    'Meat, beans and other low-acid foods must be canned at 116 degrees under pressure, because spores of Clostridium botulinum survive boiling. Leave headspace, wipe the rims, vent the canner for ten minutes and keep the pressure without a break. Throw bulging lids away unopened.'
  ),
  passage(
    'drying',
    'Preservation & Storage',
    'Drying fruit and meat',
    'Cut in slices of five millimetres and dry at 55 degrees in moving air until leathery, meat at 70 so that germs die. Lean meat keeps, fat turns rancid. Store airtight, dark and cool, and look for mould after the first week.'
  ),
  passage(
    'root-cellar',
    'Preservation & Storage',
    'Root cellar',
    'Potatoes keep at four to seven degrees in the dark, carrots in damp sand close to freezing. Apples give off ethylene, which makes potatoes sprout: store them apart. Two pipes, one low and one high, exchange the air.'
  ),
  passage(
    'rice',
    'Food Systems',
    'How long staples keep',
    'White rice, hard wheat, sugar and salt keep for decades in sealed buckets with oxygen absorbers. Brown rice, flour and oil turn rancid within a year or two. Count 2100 kilocalories for an adult a day and rotate: first in, first out.'
  ),
  passage(
    'compost',
    'Agriculture & Livestock',
    'Compost',
    'Mix two parts of dry brown material with one part of green, keep it as moist as a wrung sponge, and turn it when the middle cools below fifty degrees. Bones and fat draw rats. After three to six months it smells of forest soil.'
  ),
  passage(
    'chickens',
    'Agriculture & Livestock',
    'Hens for eggs',
    'A hen needs 120 grams of feed and a quarter of a litre of water a day and lays about 250 eggs a year with fourteen hours of light. Close the coop at dusk against foxes and martens. Crushed shells or lime keep eggs from being soft.'
  ),
  passage(
    'goat-mastitis',
    'Agriculture & Livestock',
    'Mastitis of goats',
    'A hot, hard, swollen udder and flakes in the milk are signs of mastitis. Milk out the sick half every few hours, last of all animals, with clean hands, and ask a veterinarian for an antibiotic. Discard this milk.'
  ),
  passage(
    'knots',
    'Tools & Equipment',
    'Three knots to know',
    'The bowline makes a loop that does not slip and can be opened after load. The clove hitch fastens a line to a post quickly. Two half hitches or a taut-line hitch tension the guy of a tarp.'
  ),
  passage(
    'chainsaw',
    'Tools & Equipment',
    'Sharpening a chain',
    'Clamp the bar, file every cutter from the inside to the outside at thirty degrees with the same number of strokes, and lower the depth gauges every third time. A sharp chain throws chips, a blunt one dust. Wear gloves.'
  ),
  passage(
    'tyre',
    'Vehicles',
    'Changing a wheel',
    'Park on firm level ground, set the brake and chock the opposite wheel. Loosen the nuts half a turn before you lift the car with the jack. Fit the spare, tighten crosswise, lower, tighten again, and check after fifty kilometres.'
  ),
  passage(
    'jump-start',
    'Vehicles',
    'Jump starting a car',
    'Red to the plus of the empty battery, red to the plus of the good one, black to the minus of the good one and the last clamp to bare metal of the engine block, away from the battery. Start the helper, wait three minutes, start the other. Take off in reverse order.'
  ),
  passage(
    'triage',
    'Operations',
    'Sorting many casualties',
    'Those who can walk are green. Open the airway of the others: no breath is black, more than thirty breaths a minute, no pulse at the wrist or no obeying of commands is red, the rest is yellow. Thirty seconds for each, stop only catastrophic bleeding.'
  ),
  passage(
    'flood-evacuate',
    'Operations',
    'Leaving before a flood',
    'Go early and uphill. Fifteen centimetres of moving water knock a person down, sixty carry a car away, so turn around. Switch off electricity and gas, take papers, medicine, drinking water and a radio, and tell somebody which road you take.'
  ),
  passage(
    'wildfire-house',
    'Security',
    'House and wildfire',
    'Most houses are lit by embers, not by the front of flames. Clear leaves from gutters, keep ten metres around the walls free of dry brush, screen vents with fine metal mesh and move firewood and gas bottles away. Leave when told, with headlights on.'
  ),
  passage(
    'tornado',
    'Operations',
    'Tornado warning',
    'Go to the cellar, or to a small inner room of the lowest floor without windows, get under something sturdy and protect your head. Leave mobile homes and cars. A ditch is better than an underpass. Do not open windows.'
  )
]

const query = (kind: LabelledQuery['kind'], q: string, relevant: LabelledQuery['relevant']): LabelledQuery => ({
  kind,
  q,
  relevant
})

export const QUERIES: readonly LabelledQuery[] = [
  query('words', 'boil water minutes altitude', { boil: 2 }),
  query('words', 'bleach drops per litre', { bleach: 2 }),
  query('words', 'slow sand filter maintenance', { 'sand-filter': 2 }),
  query('words', 'well distance from latrine', { well: 2, latrine: 1 }),
  query('words', 'oral rehydration salt sugar', { rehydration: 2 }),
  query('words', 'tourniquet placement', { tourniquet: 2, pressure: 1 }),
  query('words', 'chest compressions rate depth', { cpr: 2, choking: 1 }),
  query('words', 'splint fracture check pulse', { fracture: 2 }),
  query('words', 'dipole length formula frequency', { antenna: 2 }),
  query('words', 'repeater CTCSS offset', { repeater: 2 }),
  query('words', 'spreading factor bandwidth airtime', { lora: 2, 'duty-cycle': 1 }),
  query('words', '868 MHz duty cycle', { 'duty-cycle': 2 }),
  query('words', 'lead-acid battery voltage', { battery: 2, lifepo4: 1 }),
  query('words', 'pressure canning botulinum', { canning: 2 }),
  query('words', 'compass declination', { compass: 2 }),
  query('words', 'carbon monoxide symptoms', { 'carbon-monoxide': 2 }),
  query('words', 'bow drill wood', { 'fire-bow': 2 }),
  query('words', 'mastitis antibiotic', { 'goat-mastitis': 2 }),
  query('words', 'triage red yellow green black', { triage: 2 }),
  query('paraphrase', 'how do I make river water safe to drink', {
    boil: 2,
    bleach: 2,
    'sand-filter': 2,
    'solar-disinfection': 2
  }),
  query('paraphrase', 'cleaning drinking water with sunshine', { 'solar-disinfection': 2 }),
  query('paraphrase', 'child has the runs and is dried out', { rehydration: 2 }),
  query('paraphrase', 'stop heavy blood loss from a leg', { tourniquet: 2, pressure: 2 }),
  query('paraphrase', 'person collapsed and is not breathing', { cpr: 2, choking: 1 }),
  query('paraphrase', 'food stuck in throat', { choking: 2 }),
  query('paraphrase', 'broken arm first aid', { fracture: 2 }),
  query('paraphrase', 'freezing hiker shaking from cold', { hypothermia: 2 }),
  query('paraphrase', 'bitten by a viper', { snake: 2 }),
  query('paraphrase', 'infected cut', { 'wound-care': 2 }),
  query('paraphrase', 'build an aerial from wire', { antenna: 2, nvis: 1 }),
  query('paraphrase', 'radio contact over mountains without a repeater', { nvis: 2, repeater: 1 }),
  query('paraphrase', 'signal for help with a flashlight', { morse: 2 }),
  query('paraphrase', 'spell my name over the radio', { phonetic: 2 }),
  query('paraphrase', 'how big a photovoltaic module do I need', { 'solar-size': 2 }),
  query('paraphrase', 'charging lithium batteries in winter', { lifepo4: 2 }),
  query('paraphrase', 'car will not start flat battery', { 'jump-start': 2, battery: 1 }),
  query('paraphrase', 'start a campfire when everything is soaked', { 'fire-wet': 2, 'fire-bow': 1 }),
  query('paraphrase', 'which way is north at night', { 'north-star': 2 }),
  query('paraphrase', 'storing potatoes over winter', { 'root-cellar': 2 }),
  query('paraphrase', 'sleeping outside in winter snow shelter', { 'snow-cave': 2, 'shelter-debris': 1 }),
  query('paraphrase', 'shelf life of dry food', { rice: 2, drying: 1 }),
  query('paraphrase', 'protect my home from forest fire', { 'wildfire-house': 2 }),
  query('paraphrase', 'driving through flooded road', { 'flood-evacuate': 2 }),
  query('paraphrase', 'eggs with soft shells', { chickens: 2 }),
  query('typo', 'tourniqet bleedng', { tourniquet: 2, pressure: 1 }),
  query('typo', 'hypothermya', { hypothermia: 2 }),
  query('typo', 'purefy watter with bleech', { bleach: 2, boil: 1, 'sand-filter': 1 }),
  query('typo', 'resusitation', { cpr: 2 }),
  query('typo', 'anntena dipol', { antenna: 2 }),
  query('typo', 'generater oil chnage', { generator: 2 }),
  query('typo', 'compas bering', { compass: 2 }),
  query('typo', 'earthqake aftershok', { 'earthquake-home': 2 }),
  query('typo', 'latrin depht', { latrine: 2 }),
  query('typo', 'ligthing fire in teh rain', { 'fire-wet': 2 })
]

/** nDCG@10 (Järvelin & Kekäläinen): gain 2^grade - 1, discount log2 of the rank plus 1. */
export function ndcg(found: readonly string[], relevant: LabelledQuery['relevant'], depth = 10): number {
  const gain = (grade: number, rank: number): number => (2 ** grade - 1) / Math.log2(rank + 2)
  const sum = (grades: readonly number[]): number => grades.reduce((total, grade, rank) => total + gain(grade, rank), 0)
  const got = found.slice(0, depth).map((id) => relevant[id] ?? 0)
  const best = Object.values(relevant).toSorted((a, b) => b - a)
  return sum(got) / sum(best.slice(0, depth))
}
