/** Further words for things of the field, in the form of `synonyms.ts`; only what names the same thing, or what people mean by it. */
export const MORE_ENGLISH = `
adult adults grown_up grown_ups grown-up grown
pregnant pregnancy expecting expectant
breastfeeding nursing nurse_a_baby
elderly old_people senior seniors aged
cut_off severed amputated amputation chopped_off torn_off
seizure seizures fit fits convulsion convulsions epileptic epilepsy
heart_attack chest_pain cardiac
stroke slurred_speech face_droops drooping
allergic allergy anaphylaxis anaphylactic
adrenaline epinephrine epipen
paracetamol acetaminophen
petroleum_jelly vaseline
rash hives urticaria
wheezing asthma asthmatic short_of_breath
trembling tremble shaky shakes shake
diabetic diabetes low_sugar hypoglycaemia hypoglycemia
nosebleed nose_bleed nose
eye eyes
throat gullet
abdomen abdominal tummy
skin hide_of
swelling swollen swells swell
bruise bruised contusion
sprain sprained twisted
dislocated dislocation out_of_joint
concussion head_injury knocked_out
spine spinal neck_injury back_injury
dizzy dizziness giddy lightheaded
faint fainting passes_out passed_out
cough coughing coughs
cold_sore sores sore ulcer
constipation constipated
worms parasites parasite
rabies rabid hydrophobia
tetanus lockjaw
cholera watery_stool
malaria ague
dose doses dosage
overdose too_much_medicine
ointment salve cream
painkiller painkillers pain_relief analgesic
oral_rehydration rehydration ors rehydration_salts
leech leeches
spider spiders
scorpion scorpions
jellyfish jelly_fish
wasp wasps hornet hornets bee bees
splinter splinters thorn thorns
blister blisters
unconscious out_cold does_not_wake
recovery_position side_position on_the_side
mouth_to_mouth rescue_breaths
defibrillator aed
drinking_water potable potable_water
tap taps faucet
pump pumps pumping
tank tanks cistern
barrel barrels drum drums
bucket buckets pail
bottle bottles
jar jars
jug jugs jerrycan jerrycans canister
boil boiling boils boiled
filter filters filtration
cloth fabric rag
sand grit
gravel pebbles
spring springs source_of_water
dew condensation
ice icy
melt melting melts thaw
snow snowy
salty brackish saline
smell smells odour odor stink
taste tastes flavour
germs bacteria microbes
virus viruses
chlorine chlorinate chlorination chlorinated
bleach household_bleach hypochlorite
vinegar acetic_acid
mountain mountains altitude elevation highlands
sea_level lowlands
hill hills
frost freezing_weather below_zero frosty
temperature degrees
tent tents
blanket blankets
sleeping_bag sleeping_bags
mattress mattresses
ground floor
wall walls
door doors
window windows pane
chimney flue stovepipe
stove stoves cooker
oven ovens
ash ashes
candle candles
lamp lantern lamps
match matches
lighter lighters
smoke smoky
soot creosote
log logs
branch branches bough boughs
bark birch_bark
nail nails
saw saws
axe axes hatchet
knife knives blade
shovel spade shovels
sandbag sandbags bags_of_sand
dam levee dike dyke
mould mold mildew
insulation insulate insulated
draught draft
ventilation ventilate air_out fresh_air
toilet latrine lavatory wc
rubbish garbage trash waste refuse
grave graves
rope ropes
pulley block_and_tackle
ladder ladders
bridge bridges
raft rafts
canoe kayak
avalanche avalanches snow_slide
landslide mudslide
volcano eruption lava
drought dry_spell
hurricane cyclone typhoon
wind gale gust
forecast prediction
barometer air_pressure
map maps chart
north_star polaris
bearing azimuth
rice grain
flour meal
beans pulses lentils legumes
sugar sweetener
salt sodium_chloride
honey comb_honey
milk dairy
cheese curd
butter ghee
egg eggs
minced_meat ground_meat mince hamburger
pork pig_meat
beef cow_meat
fridge refrigerator icebox
freezer deep_freezer
cellar root_cellar basement
pickle pickled pickling
smoke_meat smoking smoked
dry dried drying
ferment fermented fermentation
yeast leaven sourdough
fruit fruits
apple apples
vegetable vegetables veg
carrot carrots
tomato tomatoes
onion onions
cook cooking cooked cooks
fry frying fried
bake baking baked
calorie calories kcal energy
hungry hunger starving starvation
ration rations
acorn acorns
nettle nettles
root roots tuber
manure dung
fertiliser fertilizer
pest pests
slug slugs snail snails
weed weeds
harvest harvesting reap
goat goats buck kid_goat
sheep ewe ewes lamb lambs
cow cows cattle calf calves
horse horses mare
mule donkey
pig pigs swine hog hogs
dog dogs puppy
cat cats
duck ducks
beehive hive hives colony
feed fodder forage feeding
hay straw
stall stable barn pen shed
butcher slaughter
hide_tanning tanning
milk_a_goat milking
hunting hunt
law rule rules regulation
licence license permit licensed
fine penalty fined
police officer
prison jail
citizen resident
border frontier
passport papers
radio wireless transceiver handheld walkie_talkie
listen listening receive receiving hear
transmit transmitting transmission broadcast send
callsign call_sign
repeater relay
power watts wattage output
range reach
wavelength band
coax coaxial feed_line
swr standing_wave
squelch noise_gate
morse cw
microphone mic
headphones earphones
voltage volts
recharge charging
discharged flat empty
inverter converter
plug socket outlet
short_circuit short
earth_rod grounding grounded earthed
transformer mains
wind_turbine windmill
hydro water_wheel
diesel gas_oil
engine motor
oil_change change_the_oil
spare_wheel spare_tyre
tyre tire tyres tires
brake brakes
bicycle bike
mirror mirrors reflecting
whistle whistles
flare flares
helicopter helicopters
landing land lands
pilot aviator
ship ships vessel
anchor anchoring
life_jacket lifejacket life_vest
storm storms
shadow shade
moon moonlight
hour hours
week weeks fortnight
newcomer newcomers new_arrivals
lift lifting raise
burst bursting
lock locked
shut close_it
fill filled filling
empty emptied
replace renew swap
sharpen whet
glue adhesive
paint varnish
stain stains
kill kills killed deadly lethal fatal
survive survival survivor
search searching look_for
find locate
escape flee evacuate evacuation
warning alarm alert
siren sirens
gas gases
explosion blast
mine landmine landmines
bullet gunshot
gas_mask respirator
iodide iodine_tablets
plastic_bag polythene plastic_sheet
tight tightly
loose loosen
`

export const MORE_GERMAN = `
erwachsener erwachsene erwachsenen
säugling säuglinge säuglingen
schwanger schwangere schwangeren schwangerschaft
wunde wunden verletzung verletzungen
verband verbinden verbandszeug
bewusstlos ohnmächtig ohnmacht
atmung atmen beatmen atmet
herz herzmassage wiederbelebung
tablette tabletten pille pillen
medikament medikamente arznei arzneimittel medizin
dosis menge dosierung
zecke zecken
wespe wespen biene bienen
schlange schlangen
pilz pilze pilzen
beere beeren
wasser trinkwasser
kochen abkochen gekocht kocht abgekocht sieden
chlor chlorbleichlauge chlorbleiche bleiche
filter filtern gefiltert
eimer kanister behälter
flasche flaschen
höhe gebirge bergen berge
frieren gefroren gefriert frost
gefriertruhe gefrierschrank tiefkühltruhe tiefkühler
kalt kälte
warm wärme
heizung heizen heizt
ofen öfen herd
holz brennholz
schornstein kamin
asche glut
kerze kerzen
decke decken
zelt zelte
dach dächer
fenster scheibe
müll abfall
fleisch aufgetautes_fleisch
ei eier
milch molkerei
brot brote
kochsalz speisesalz
frequenz frequenzen
funk funkgerät funken
sender senden sendet
kanal kanäle
hochspannung hochspannungsleitung
sicherung sicherungen
stecker steckdose
kabel leitung
bargeld geld
vorrat vorräte lagern
polizei beamte
gesetz vorschrift verordnung
strafe bußgeld
hund hunde
katze katzen
ziege ziegen
schaf schafe
kuh kühe rind rinder
pferd pferde
tot tod gestorben
sturm orkan
schnee lawine
eis glatteis
grillen grill holzkohle
kohlenmonoxid abgas abgase
abstand entfernung
`
