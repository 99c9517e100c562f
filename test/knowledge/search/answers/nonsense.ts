/** Questions that none of the documents answers: other subjects, made-up words, and words of the library put together to nothing. */
export const NONSENSE: readonly string[] = `
xyzzy plugh frobnicate
xyzzy plugh frobnicate water
what is the capital of Mongolia
who won the 2018 world cup
price of bitcoin
price of bitcoin in cold water
how do I water my spaceship
who wrote the great gatsby
best restaurants in Lisbon
how do I file my income tax
what time does the cinema open
lyrics of yesterday by the beatles
how tall is the eiffel tower
when was Napoleon born
how do I train a dragon
what is the meaning of life
how many goals did Messi score
how do I cook a unicorn
my girlfriend left me what now
who is the president of France
translate good morning to Japanese
how do I get a mortgage
how long does a flight to Tokyo take
what is a good name for my cat
how do I tune a violin
how many strings has a harp
what colour is the planet Neptune
distance from the earth to Jupiter
how do I dance the tango
how do I win at poker
which stocks should I buy
how many calories has a doughnut
when does the museum close on Sundays
dosage of unobtainium for adults
how much kryptonite per litre of water
how many drops of permanganate for a canteen
how much turpentine for a child with worms
dose of morphine for an adult
dose of insulin for children
how much penicillin per kilogram
how many milligrams of warfarin per day
tramadol for toothache how much
how many drops of vanilla for a cake
how much arsenic in a litre
how long do I boil a motherboard
how long do I boil lobsters
how deep must I plant a submarine
how far must a castle stand from a volcano
how do I start a flat helicopter
tourniquet for a computer network
battery voltage of a pacemaker
how long does a pyramid last
snake bite of a printer
how do I disinfect a blog
how hot is the surface of Venus
what do penguins eat
how do penguins dig a well
which knot do astronauts use
how many sandbags does a giraffe weigh
earthquake in San Francisco 1906 deaths
tornado of Joplin damage in dollars
who invented the antenna
who invented the tourniquet
how much does an ambulance cost
phone number of the hospital in Nampa
when is the next high tide in Bergen
weather tomorrow in Boise
is the road to Stanley open
what is my IP address
how do I reset my password on netflix
how do I install photoshop
how do I write a haiku
rhymes with orange
how do magnets work
what is love
why is the sky blue
how old is the universe
what is quantum entanglement
proof of the theorem of Fermat
square root of 1764
convert 100 dollars to euros
how many feet in a nautical league
how many wives had Henry the eighth
what did Plato say about justice
who painted the Mona Lisa
how do I knit a sweater
crochet pattern for a blanket
how do I shave a yak
how do I polish marble
how do I remove red wine from a carpet
how do I fold a paper crane
how to play the ukulele
best guitar amplifier for blues
how do I breed goldfish
how long do hamsters live
how do I housebreak a puppy
what to feed a hedgehog
how fast can a cheetah run
how much does a blue whale weigh
the wine of the sun in the hut of the watch
colourless green ideas sleep furiously
to be or not to be
asdf qwer zxcv
aaaaaaa bbbbbbb
?!?!
how how how
the of and
Wie viel Bleiche in eine Feldflasche?
Wer gewann die Weltmeisterschaft 1974?
`
  .trim()
  .split('\n')
