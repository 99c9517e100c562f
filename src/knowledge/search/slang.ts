/** Short forms, everyday words and the two Englishes, in the form of `synonyms.ts`: how people type on a radio. */
export const SLANG = `
temp temperature temps
freq frequency freqs frequencies
batt battery batts batteries
tx transmit transmitting transmitter transmission
rx receive receiving receiver
rig transceiver radio set station
ht handheld handhelds walkie_talkie
genny generator generators genset gen_set
nite night nights
thru through
tho though
hr hour hrs hours
sec second secs seconds
yr year yrs years
wk week wks weeks
max maximum most at_most
approx about roughly
info information
meds medicine medicines medication medications
antibiotics antibiotic antibacterial
abx antibiotic
doxy doxycycline
amox amoxicillin
tylenol paracetamol acetaminophen
advil ibuprofen
hth calcium_hypochlorite
ors oral_rehydration rehydration_drink sugar_and_salt
bp blood_pressure
cpr compressions
preggo pregnant pregnancy
hypothermic hypothermia chilled_person chilled
snowblind snow_blind snow_blindness
frostbit frostbite
puke vomit vomits vomiting throw_up
poo stool faeces excrement
pee urine urinate
runs loose_stool diarrhoea
cast plaster
cream ointment salve lotion
bug insect insects bugs
gas petrol gasoline fuel
paraffin kerosene paraffin_oil parafin lamp_oil
propane lpg bottled_gas
lead cord extension_lead extension_cord leads cords extension
torch flashlight headlamp flash_light
lorry truck trucks lorries
bonnet hood
spanner wrench
tyre tire tyres tires
jump_start jumpstart jump_leads jumper
alternator dynamo
spark_plug plug spark_plugs
chainsaw saw chain_saw chainsaws saws
felling fell felled cutting_down cut_down tree_comes_down
branches twigs boughs brushwood
timber lumber beams
trunk stem trunks
stump stumps
wedge wedges
bystanders bystander onlookers everybody_else everybody
stuck hung caught jammed hung_up lodged
sled sledge sleds sledges sleigh pulk sledging
haul pull pulling hauls hauling drag drags tow
tow towing towed tow_rope
winch winching winches
strap straps webbing
guy guy_line guyline guy_rope guys
peg stake pegs stakes
retire throw_away discard replace scrap
tie join joining fasten fix attach
weaker weak loses_strength lose_strength loses weakens
stronger strong strength
stretch stretches stretchy elastic
breaking_load breaking_strength break_strength breaking_strain tensile_strength
working_load safe_load safe_working_load
hill slope incline
uphill climb ascent ascend
downhill descent descend going_down
contour contours
grid_reference map_reference
plough big_dipper great_bear
pole_star north_star polaris
southern_cross cross crux
gps satellite_receiver satellite_navigation gnss
ford cross crossing wade fording
hike walk walking hiking march
backpack rucksack pack packs
whistle signal blow
sos distress
blizzard snowstorm snow_storm
freezing very_cold frost deep_cold
ice frozen_lake frozen_river
burlap sacks sackcloth
mortar plaster render
cement concrete portland_cement
pit hole
bury lay buried lies lie
pipe pipes piping tube
hose hoses
tap spigot faucet standpipe
borehole tube_well
handpump hand_pump hand_pumps handpumps
valve valves
leak leaks leaking leaky drip drips
seal gasket washer seals o_ring
bolt nut bolts nuts
grease lubricate lubricant grease_it oil_it
turbid cloudy muddy dirty
disinfect chlorinate chlorine
head_of_water static_pressure
pressure_rating highest_pressure bears static_pressure
latrine toilet outhouse privy
antenna aerial wire_antenna
coax coaxial cable
log logbook log_book logs
silence quiet silent
dies shuts_off switches_off cuts_out turns_off stops
no_power no_voltage no_output power_out
black_smoke smoke_black
head_injury blow_to_the_head concussion head
sucking_chest_wound open_chest_wound chest_wound hole_that_sucks sucks_air chest
scabies mites the_itch
ringworm tinea
pinkeye conjunctivitis red_eye
uti bladder_infection bladder
strep sore_throat tonsillitis
chickenpox varicella
flu influenza
afterbirth placenta
miscarriage lost_the_baby
newborn new_born
labour labor in_labour
gut bowel bowels intestine
tummy belly stomach
rib ribs
sledding sledge
phone telephone mobile cell_phone cellphone smartphone
torch_battery cells aa_cells
panel solar_panel solar_panels pv
december january february winter winter_months
june july august summer summer_months
lantern lamp hurricane_lamp hurricane_lantern
bulb lamp led
outage blackout power_cut
grid mains
breaker circuit_breaker rcd gfci
earth ground earthing grounding
amps amperage current
watts wattage power
draw draws takes consumes
consumption uses burns drinks use consume
yield gives delivers
rptr repeater repeaters relay relais
qrg frequency freq
ctcss pl_tone tone subtone
qth location position
msg message messages msgs
pri primary main
veh vehicle vehicles
pt patient casualty
pts patients casualties
ambo ambulance
swap change replace exchange switch
kcal kilocalories calories kilocalorie
lockjaw tetanus trismus
mast pole antenna_pole antenna_mast
facial face
spinal spine back
femur thigh thighbone
pelvic pelvis
renal kidney
cardiac heart
dental tooth teeth
ache pain aches
torque newton_metres newton_meters nm tighten tightened tightening
runway strip airstrip landing_strip
buddy partner
smoke_alarm smoke_detector
co carbon_monoxide
overcast cloudy clouds
scrub rub
kraut sauerkraut
wristwatch watch
bracelet wristband bracelets wristbands
lead leash
loudspeaker speakers loudspeakers pa tannoy
nuke nuclear atomic radiation
radioactive radiation source
burial bury buried
corpse corpses dead_body dead_bodies body bodies
throw_up throws_up vomit vomits vomiting vomited threw_up sick
fridge refrigerator fridges
cooker stove
mobile_phone phone mobile
petrol gas gasoline
plaster band_aid band_aids plasters
odds chances chance chance_of_survival
survive survival survives live alive
`
