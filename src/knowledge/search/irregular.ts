/** English words whose other forms have another stem, a word a line; the stemmer of the index knows the others. */
export const IRREGULAR = `
awake awoke awoken
bear bore borne
beat beaten
begin began begun
bend bent
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken
breed bred
build built
burn burnt
buy bought
catch caught
choose chose chosen
cling clung
dig dug
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
find found
flee fled
fly flew flown
freeze froze frozen
get got
give gave given
grow grew grown
hang hung
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lead led
lose lost
melt molten
ride rode ridden
ring rang rung
rise rose risen
run ran
sell sold
send sent
sew sewn
shake shook shaken
shine shone
shrink shrank shrunk
sink sank sunk
sleep slept
slide slid
smell smelt
speak spoke spoken
spill spilt
spin spun
spit spat
spoil spoilt
stand stood
steal stole stolen
stick stuck
sting stung
swell swelled swollen
swim swam swum
swing swung
tear tore torn
think thought
throw threw thrown
wake woke woken
wear wore worn
weave wove woven
write wrote written
foot feet
tooth teeth
goose geese
mouse mice
louse lice
calf calves
knife knives
leaf leaves
shelf shelves
life lives
wife wives
half halves
man men
woman women
child children
die dead death died dies
choice choose
deep depth
long length
wide width
strong strength
high height
weigh weight
hot heat
grow growth
live alive
safe safety
warm warmth
poison poisonous
danger dangerous
infect infectious
electric electricity electrical
`
