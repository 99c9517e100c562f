import { IRREGULAR } from './irregular.ts'
import { SLANG } from './slang.ts'
import { MORE_ENGLISH, MORE_GERMAN } from './thesaurus.ts'

/**
 * Words that people say for one another in the field, a group a line; what stands for one of a line stands for all of it. Several
 * words joined by `_` are a phrase. Substances and medicines have no synonyms here but other names of the very same thing.
 */
const ENGLISH = `
kid kids child children toddler infant_child boy girl
baby newborn infant
grandma granny grandpa elderly
mother mom mum
casualty victim patient injured_person wounded_person
person man woman somebody someone anybody anyone
doctor physician medic medical_help medical
dead corpse corpses bodies deceased
collapse collapsed unconscious unresponsive does_not_answer not_answer faint fainted
breathing breathe breath breaths
cpr chest_compressions compressions resuscitation resuscitate push_down
bleeding blood bleed bleeds haemorrhage hemorrhage squirting spurting spurts
wound cut gash laceration wounds
infected infection pus septic
stitches sutures suture stitch
bandage dressing gauze wrap
broken fracture fractured break breaks crooked bent
immobilise immobilize splint
leg thigh calf limb shin
arm limb forearm
stomach belly abdomen
diarrhoea diarrhea the_runs loose_stool
rehydration dehydration dehydrated dried_out thirst
vomit vomiting throw_up throwing_up
sick nauseous nausea ill
fever high_temperature feverish
pill tablet pills tablets
dose dosage amount
medicine drug medication
vaccine vaccination shot shots jab inoculation
bite bitten bit bites stung
snake viper adder snakes
antivenom antivenin antiserum
poison poisonous toxic venom venomous poisoning
burn burnt burned burns scald scalded
frostbite frozen frostbitten frost_bitten white_hard numb
thaw warm rewarm warm_up
hypothermia freezing_person cold_body too_cold
heat_stroke heatstroke sunstroke overheated
sweating sweats sweat perspiring
shiver shivering
hot heat warm
cold chilled freezing
choking choke choked cannot_breathe no_air suffocating
drown drowned drowning
birth childbirth labour labor delivery baby_is_coming
cord umbilical
tick ticks bloodsucker
mosquito mosquitoes mosquitos midges
lice louse nits
itch itches itching scratch scratches scratching
tooth teeth
nightmares bad_dreams bad_dream nightmare
sleep sleeplessness cannot_sleep insomnia sleepless
stress trauma traumatised traumatized shaken
bury buried burial grave
latrine toilet loo outhouse privy
excrement faeces feces stool
well borehole shaft
clean wash cleaning washing
disinfect disinfection purify sterilise sterilize make_safe decontaminate disinfected purification
sunlight sun solar daylight sunshine
cloudy clouds overcast
muddy mud dirty brown turbid murky
clear_water clear
strain filter straining sieve
well_water groundwater ground_water
stream brook creek river
sea ocean
seawater sea_water salt_water
desert dry_land arid drought
container vessel bucket
canteen water_bottle flask
rainwater rain_water rain
cistern rain_tank
house home building dwelling
trailer mobile_home caravan
cellar basement
shelter hide refuge take_cover hideout
hut cabin shack
roof roofs
tent tarp
rope cord_line line
knot hitch bend bowline
tornado twister
earthquake quake tremor shaking swaying
flood flooded floods flooding high_water
tsunami tidal_wave
thunderstorm lightning thunder
nuclear atomic radioactive fallout radiation
indoors inside stay_inside
outside outdoors
wildfire forest_fire bush_fire brush_fire bushfire
fire flames blaze ablaze burning
campfire fire open_fire bonfire
extinguish put_out putting_out douse
extinguisher fire_extinguisher
stones rocks stone rock
burst explode bursts exploding crack
pan frying_pan cooker
fat grease cooking_oil oil
tinder firelighter
wood firewood
light_a_fire lighting_a_fire start_a_fire make_fire kindle
charcoal grill coals barbecue
generator genset
exhaust fumes
refrigerator fridge cooler refrigerate
freezer deep_freeze
power_outage blackout power_cut without_power power_failure
keep store stores last lasts stay_good preserve
cool cooling cooled cools
spoiled rotten gone_off
bread loaf loaves
can canning jar jars preserve
tins tin canned cans
jerky dried_meat
meat flesh
cabbage sauerkraut
potato potatoes spud spuds
plant planted planting sow
spacing apart distance_apart
garden vegetable_garden vegetable_patch
compost compost_heap compost_pile
seed seeds
edible eaten eat can_be_eaten
berry berries
mushroom mushrooms fungus fungi
hen hens chicken chickens poultry
eggs egg
lay laying lays producing_eggs
rabbit rabbits bunny bunnies hare
snare snares trap catch
fish fishing angling
distress emergency mayday
boat ship vessel_at_sea yacht
sinking sink
aircraft plane aeroplane airplane
antenna aerial antennas antennae
height high higher
frequency channel frequencies
shortwave hf short_wave
airtime duty_cycle
signal signals
compass north direction
watch wristwatch
star stars
paces pace steps
battery batteries accumulator
lithium_iron_phosphate lifepo4 lfp
lead_battery lead_acid lead_batteries
charge charging charged recharge
flat_battery dead_battery empty_battery
jumper_leads jump_leads jumper_cables jump_start red_to_plus
car vehicle automobile
start starting starts
solar_panel panel photovoltaic pv module panels
tilt angle slope inclination
yield output gives
carry carries bear bears
wire cable cables wires
amps amperes ampere amp
current amperes
fuse fuses
petrol gasoline gas_fuel
winter dark_season
concrete cement
hard sets harden hardens set strength
soap detergent
boots shoes footwear boot
soaked wet damp
mend repair mending fix
carry transport move
stretcher litter
helicopter chopper landing_place
carbon_monoxide monoxide
sleepy sleepiness drowsy
quickly fast speed rate
thick thickness
deep depth
far distance away
big large size
meters metres meter metre m
litre litres liter liters
kilogram kilograms kilo kg
millimetre millimetres mm
centimetre centimetres cm
kilometre kilometres km
megahertz mhz
teaspoon teaspoons
per each
daily per_day a_day
treat treatment treated
rescue save saved help
signs symptoms sign symptom
recipe mixture mix
remove pull take_off get_rid
throw_away discard discarded thrown_away
protect protection protects guard
danger dangerous hazard unsafe risky
allowed permitted permissible
forbidden never must_not
trust trusted rely
run running
near close next_to
rinse flush
booster shot
`

/** The same for German. */
const GERMAN = `
kind kinder kleinkind
baby säugling neugeborenes
verletzter opfer patient verwundeter
arzt ärztin doktor
bluten blutung blut
bruch gebrochen knochenbruch
schiene schienen ruhigstellen
verbrennung verbrannt verbrühung verbrüht
vergiftung gift giftig
biss gebissen bisse
fieber temperatur
durchfall diarrhö
unterkühlung unterkühlt
hitzschlag sonnenstich
erbrechen übergeben
desinfizieren entkeimen keimfrei
latrine klo toilette abort
brunnen bohrloch
regenwasser regen
feuer brand flammen
löschen auslöschen
waldbrand flächenbrand
strom elektrizität
stromausfall blackout
kühlschrank kühlen
akku batterie
auto wagen fahrzeug
benzin kraftstoff sprit
antenne sendeantenne
notruf notfall seenot
erdbeben beben
hochwasser überschwemmung flut
gewitter blitz donner
keller untergeschoss
haus gebäude wohnung
seil leine
pflanze gewächs
kartoffel kartoffeln erdäpfel
huhn hühner henne
schritt schritte
meter m
liter l
`

/** Phrases and words, a group each; the words of a phrase are apart. */
export const SYNONYMS: readonly (readonly string[])[] = [
  ENGLISH,
  MORE_ENGLISH,
  SLANG,
  IRREGULAR,
  GERMAN,
  MORE_GERMAN
].flatMap((text) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map((word) => word.replaceAll('_', ' ')))
)
