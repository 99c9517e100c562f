/** Texts such as people keep, and how they were written before UTF-8: language, its encodings, text. */
export const TEXTS: readonly (readonly [language: string, encodings: readonly string[], text: string])[] = [
  [
    'Russian',
    ['koi8-r', 'windows-1251', 'iso-8859-5', 'ibm866'],
    'Воду из реки или колодца нужно кипятить не менее одной минуты, а в горах не менее трёх минут. Если огня нет, добавьте две капли хлорной извести на литр и подождите полчаса. Храните чистую воду в закрытой посуде и не черпайте её грязной кружкой. При ожоге охладите кожу проточной водой, затем накройте рану чистой сухой тканью и ищите врача.'
  ],
  [
    'Ukrainian',
    ['koi8-u', 'windows-1251'],
    'Воду з річки чи криниці треба кип’ятити щонайменше одну хвилину, а в горах щонайменше три хвилини. Якщо вогню немає, додайте дві краплі хлорного вапна на літр і зачекайте пів години. Зберігайте чисту воду в закритому посуді й не черпайте її брудним кухлем. Їжа, що стояла в теплі, небезпечна.'
  ],
  [
    'Bulgarian',
    ['windows-1251'],
    'Водата от реката или кладенеца трябва да се вари поне една минута, а в планината поне три минути. Ако няма огън, добавете две капки белина на литър и изчакайте половин час. Пазете чистата вода в затворен съд и не я гребете с мръсна чаша. При изгаряне охладете кожата с течаща вода.'
  ],
  [
    'Greek',
    ['iso-8859-7', 'windows-1253'],
    'Το νερό από το ποτάμι ή το πηγάδι πρέπει να βράσει τουλάχιστον ένα λεπτό και στα βουνά τουλάχιστον τρία λεπτά. Αν δεν υπάρχει φωτιά, προσθέστε δύο σταγόνες χλωρίνη στο λίτρο και περιμένετε μισή ώρα. Φυλάξτε το καθαρό νερό σε κλειστό δοχείο και μην το παίρνετε με βρώμικο κύπελλο.'
  ],
  [
    'Hebrew',
    ['windows-1255', 'iso-8859-8-i'],
    'יש להרתיח מים מן הנהר או מן הבאר לפחות דקה אחת, ובהרים לפחות שלוש דקות. אם אין אש, הוסיפו שתי טיפות אקונומיקה לליטר והמתינו חצי שעה. שמרו את המים הנקיים בכלי סגור ואל תשאבו אותם בכוס מלוכלכת. במקרה של כוויה קררו את העור במים זורמים וכסו את הפצע בבד נקי ויבש.'
  ],
  [
    'Arabic',
    ['windows-1256', 'iso-8859-6'],
    'يجب غلي ماء النهر أو البئر لمدة دقيقة واحدة على الأقل وفي الجبال ثلاث دقائق على الأقل. إذا لم تتوفر النار فأضف قطرتين من الكلور لكل لتر وانتظر نصف ساعة. احفظ الماء النظيف في وعاء مغلق ولا تغرف منه بكوب متسخ. عند الحروق برد الجلد بالماء الجاري ثم غط الجرح بقماش نظيف وجاف.'
  ],
  [
    'Polish',
    ['iso-8859-2', 'windows-1250'],
    'Wodę z rzeki lub studni należy gotować co najmniej minutę, a w górach co najmniej trzy minuty. Jeśli nie ma ognia, dodaj dwie krople wybielacza na litr i odczekaj pół godziny. Czystą wodę przechowuj w zamkniętym naczyniu i nie nabieraj jej brudnym kubkiem. Żywność, która stała w cieple, jest niebezpieczna.'
  ],
  [
    'Czech',
    ['iso-8859-2', 'windows-1250'],
    'Vodu z řeky nebo studny je třeba vařit nejméně jednu minutu, v horách nejméně tři minuty. Není-li oheň, přidejte dvě kapky bělidla na litr a počkejte půl hodiny. Čistou vodu uchovávejte v uzavřené nádobě a nenabírejte ji špinavým hrnkem. Při popálení ochlaďte kůži tekoucí vodou a ránu přikryjte čistou látkou.'
  ],
  [
    'Hungarian',
    ['iso-8859-2', 'windows-1250'],
    'A folyóból vagy kútból vett vizet legalább egy percig, a hegyekben legalább három percig kell forralni. Ha nincs tűz, adjunk literenként két csepp hipót hozzá, és várjunk fél órát. A tiszta vizet zárt edényben tároljuk, és ne merítsünk belőle piszkos bögrével. Égési sérülésnél hűtsük a bőrt folyó vízzel.'
  ],
  [
    'Turkish',
    ['windows-1254'],
    'Nehirden veya kuyudan alınan su en az bir dakika, dağlarda ise en az üç dakika kaynatılmalıdır. Ateş yoksa litre başına iki damla çamaşır suyu ekleyin ve yarım saat bekleyin. Temiz suyu kapalı bir kapta saklayın ve kirli bardakla almayın. Yanıklarda cildi akan suyla soğutun, sonra yarayı temiz bir bezle örtün.'
  ],
  [
    'Lithuanian',
    ['windows-1257'],
    'Vandenį iš upės ar šulinio reikia virinti bent vieną minutę, o kalnuose bent tris minutes. Jei nėra ugnies, įlašinkite du lašus baliklio į litrą ir palaukite pusvalandį. Švarų vandenį laikykite uždarame inde ir nesemkite jo nešvariu puodeliu. Nudegus vėsinkite odą tekančiu vandeniu.'
  ],
  [
    'Thai',
    ['windows-874'],
    'น้ำจากแม่น้ำหรือบ่อต้องต้มอย่างน้อยหนึ่งนาที และบนภูเขาอย่างน้อยสามนาที ถ้าไม่มีไฟให้เติมน้ำยาฟอกขาวสองหยดต่อลิตรแล้วรอครึ่งชั่วโมง เก็บน้ำสะอาดในภาชนะที่ปิดสนิท และอย่าตักด้วยแก้วสกปรก'
  ],
  [
    'Japanese',
    ['shift_jis', 'euc-jp'],
    '川や井戸の水は少なくとも一分間、山では少なくとも三分間沸騰させてください。火がないときは、一リットルにつき漂白剤を二滴加えて三十分待ちます。きれいな水はふたのある容器に入れ、汚れたコップでくまないでください。やけどをしたら流水で皮膚を冷やし、清潔な乾いた布で傷をおおいます。'
  ],
  [
    'Chinese, simplified',
    ['gbk', 'gb18030'],
    '河水或井水至少要煮沸一分钟，在山区至少要煮沸三分钟。如果没有火，每升水加两滴漂白剂，等待半小时。干净的水要放在密封的容器里，不要用脏杯子去舀。烧伤时先用流动的水冷却皮肤，然后用干净的干布盖住伤口，并去找医生。放在温暖地方的食物是危险的。'
  ],
  [
    'Chinese, traditional',
    ['big5'],
    '河水或井水至少要煮沸一分鐘，在山區至少要煮沸三分鐘。如果沒有火，每公升水加兩滴漂白劑，等待半小時。乾淨的水要放在密封的容器裡，不要用髒杯子去舀。燒傷時先用流動的水冷卻皮膚，然後用乾淨的乾布蓋住傷口，並去找醫生。放在溫暖地方的食物是危險的。'
  ],
  [
    'Korean',
    ['euc-kr'],
    '강물이나 우물물은 적어도 일 분, 산에서는 적어도 삼 분 동안 끓여야 합니다. 불이 없으면 일 리터에 표백제 두 방울을 넣고 삼십 분 동안 기다리십시오. 깨끗한 물은 뚜껑이 있는 그릇에 보관하고 더러운 컵으로 뜨지 마십시오. 화상을 입으면 흐르는 물로 피부를 식히십시오.'
  ],
  [
    'English',
    ['windows-1252'],
    'Keep the water at 74 °C for a minute; in the mountains it’s three. Add ½ teaspoon – no more – of “plain” bleach to each 20 litres, and wait 30 minutes ± 5. Café tins hold 5 × 100 ml. Price: £3 or €4. © José Müller'
  ],
  [
    'German',
    ['windows-1252'],
    'Wasser aus Fluss oder Brunnen muss mindestens eine Minute kochen, in den Bergen drei. Für Säuglinge kühlt man es ab und füllt es in saubere Gefäße. Größere Mengen schöpft man nie mit schmutzigen Bechern. Bei Verbrühungen kühlt man die Haut mit fließendem Wasser und deckt die Wunde mit „sauberem“ Tuch.'
  ],
  [
    'French',
    ['windows-1252'],
    'L’eau de la rivière ou du puits doit bouillir au moins une minute, et trois en montagne. Sans feu, ajoutez deux gouttes d’eau de Javel par litre et attendez une demi-heure. Gardez l’eau propre dans un récipient fermé ; n’y plongez jamais une tasse sale. À défaut, filtrez-la à travers un tissu : c’est déjà ça.'
  ],
  [
    'Spanish',
    ['windows-1252'],
    'El agua del río o del pozo debe hervir al menos un minuto y, en la montaña, tres. ¿No hay fuego? Añada dos gotas de lejía por litro y espere media hora. Guarde el agua limpia en un recipiente cerrado; ¡no la saque con una taza sucia! Después de una quemadura, enfríe la piel y cúbrala con un paño.'
  ],
  [
    'Portuguese',
    ['windows-1252'],
    'A água do rio ou do poço deve ferver pelo menos um minuto e, nas montanhas, três. Se não houver fogo, junte duas gotas de lixívia por litro e espere meia hora. Guarde a água limpa num recipiente fechado e não a tire com um copo sujo. Após uma queimadura, arrefeça a pele com água corrente.'
  ],
  [
    'Swedish',
    ['windows-1252'],
    'Vatten från ån eller brunnen måste koka i minst en minut, i fjällen minst tre. Finns ingen eld tillsätter man två droppar klorin per liter och väntar en halvtimme. Förvara rent vatten i ett slutet kärl och ös det aldrig med en smutsig mugg. Vid brännskada kyler man huden med rinnande vatten.'
  ]
]

/** Writes text in an encoding, by asking Node what each byte, and each pair of them, would be read as. */
export function encoder(encoding: string): (text: string) => Buffer {
  const bytesOf = new Map<string, Buffer>()
  const learn = (bytes: number[]): void => {
    const text = new TextDecoder(encoding).decode(Uint8Array.from(bytes))
    if ([...text].length === 1 && text !== '\ufffd' && !bytesOf.has(text)) bytesOf.set(text, Buffer.from(bytes))
  }
  for (let one = 0; one < 256; one++) learn([one])
  for (let one = 0x81; one < 0xff; one++) for (let two = 0x40; two < 0xff; two++) learn([one, two])
  // Node 20 and 22 read these as Latin-1.
  if (encoding === 'windows-1252')
    for (const [at, sign] of [...'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'].entries())
      bytesOf.set(sign, Buffer.from([0x80 + at]))
  return (text) => Buffer.concat([...text].map((sign) => bytesOf.get(sign) ?? Buffer.from('?')))
}
