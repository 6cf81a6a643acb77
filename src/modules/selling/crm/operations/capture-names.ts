/**
 * Names of form fields in our users' languages, and their meanings (DECISIONS.md "The lead-capture link").
 */

/** The meaning of a field about a person. */
export type Meaning = 'phone' | 'name' | 'firstName' | 'lastName' | 'email' | 'note' | 'source' | 'form'

const REMEMBERED = 5_000

/** Returns the function with a cache, because forms repeat their names. Long names aren't cached. */
function memoize<Answer>(read: (name: string) => Answer): (name: string) => Answer {
  const answersByName = new Map<string, Answer>()
  return (name) => {
    const before = answersByName.get(name)
    if (before !== undefined || answersByName.has(name)) return before as Answer
    const answer = read(name)
    if (answersByName.size >= REMEMBERED) answersByName.clear()
    if (name.length <= 100) answersByName.set(name, answer)
    return answer
  }
}

/** Removes case, accents, blanks, and signs from a name: `Número de Teléfono` becomes `numerodetelefono`. */
export const plainName = memoize((name) => words(name).join(''))

/** Returns the words of a name in plain form: `senderMobile-2` becomes `sender mobile 2`. */
export const words: (name: string) => readonly string[] = memoize((name) => readWords(name))

const readWords = (name: string): string[] =>
  name
    .slice(0, 200)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .toLowerCase()
    // Accents of Latin and Cyrillic letters, and the dots under Indian letters that keyboards omit.
    .replace(/[\u0300-\u036f\u093c\u09bc\u0a3c\u0abc\u200b-\u200d]/g, '')
    .replaceAll('ı', 'i')
    .replaceAll('đ', 'd')
    .replaceAll('ß', 'ss')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')

/** Whole names, plain and without blanks. One line per language or two. */
const NAMES: Record<Meaning, string> = {
  phone: `phone phonenumber phoneno mobile mobilenumber mobileno tel telephone cell cellphone contactnumber contactno contactphone
    whatsapp whatsappnumber whatsappno number sendermobile senderphone yourphone yourmobile e164 mob mobilephone phonemobile workphone
    वॉट्सएप फोन फोननंबर मोबाइल मोबाइलनंबर मोबाइलनं दूरभाष संपर्कनंबर संपर्क व्हाट्सएप व्हाट्सएपनंबर मोबाईल मोबाईलनंबर भ्रमणध्वनी संपर्कक्रमांक
    telefone celular numerodetelefone numerodecelular telefono numerodetelefono movil telefonomovil contacto telephone
    numerodetelephone portable telefon telefonnummer handy handynummer mobilnummer rufnummer cellulare numeroditelefono
    telepon nomortelepon nohp nomorhp nomorhandphone handphone ponsel nowa nomorwa nomorwhatsapp telefonnumarasi ceptelefonu gsm
    الهاتف هاتف رقمالهاتف الجوال جوال رقمالجوال موبايل رقمالموبايل واتساب رقمالواتساب
    தொலைபேசி தொலைபேசிஎண் கைபேசி கைபேசிஎண் மொபைல் மொபைல்எண் அலைபேசி ఫోన్ ఫోన్నంబర్ మొబైల్ మొబైల్నంబర్ ফোন ফোননম্বর মোবাইল মোবাইলনম্বর
    ફોન ફોનનંબર મોબાઇલ મોબાઇલનંબર મોબાઈલ મોબાઈલનંબર ಫೋನ್ ಮೊಬೈಲ್ ഫോൺ മൊബൈൽ ਫੋਨ ਮੋਬਾਈਲ телефон номертелефона мобильный мобильныйтелефон
    电话 电话号码 手机 手机号 手机号码 联系电话 聯絡電話 電話 電話番号 携帯 携帯電話 携帯番号 手機 手機號碼 전화 전화번호 휴대폰 연락처`,
  name: `name fullname yourname contactname customername sendername leadname clientname personname buyername visitorname
    नाम पूरानाम आपकानाम ग्राहककानाम नाव पूर्णनाव तुमचेनाव आपलेनाव nome nomecompleto seunome nombre nombrecompleto nombreyapellido
    nombreyapellidos sunombre tunombre nom nomcomplet votrenom nometprenom nomprenom vollstandigername ihrname deinname vorundnachname
    nomeecognome vostronome iltuonome nama namalengkap namaanda adi adsoyad adsoyadi adiniz adinizsoyadiniz isim isimsoyisim
    الاسم اسم اسمك الاسمالكامل الاسمبالكامل اسمالعميل பெயர் உங்கள்பெயர் முழுப்பெயர் పేరు మీపేరు పూర్తిపేరు নাম আপনারনাম পুরোনাম সম্পূর্ণনাম
    નામ તમારુંનામ પૂરુંનામ ಹೆಸರು പേര് ਨਾਮ имя вашеимя фио имяифамилия полноеимя 姓名 名字 您的姓名 名前 お名前 氏名 ご氏名 이름 성함`,
  firstName: `firstname fname givenname first primeironome primernombre prenom vorname namadepan nomedibattesimo primonome पहलानाम प्रथमनाम
    الاسمالاول முதல்பெயர் మొదటిపేరు প্রথমনাম પ્રથમનામ 名`,
  lastName: `lastname lname surname familyname last sobrenome apellido apellidos nomdefamille nachname familienname cognome namabelakang
    soyad soyadi soyadiniz soyisim उपनाम आडनाव अंतिमनाम اسمالعائلة اللقب இறுதிப்பெயர் ఇంటిపేరు শেষনাম અટક фамилия 姓`,
  email: `email emailaddress emailid mail youremail senderemail workemail businessemail mailid ईमेल ईमेलआईडी ईमेलपता इमेल correo
    correoelectronico courriel adressemail adresseemail emailadresse indirizzoemail alamatemail surel eposta epostaadresi
    البريد البريدالالكتروني الايميل ايميل மின்னஞ்சல் மின்னஞ்சல்முகவரி ఇమెయిల్ ইমেল ইমেইল ઇમેઇલ ઈમેલ почта электроннаяпочта емейл
    邮箱 电子邮箱 电子邮件 邮件 郵箱 メール メールアドレス 이메일`,
  note: `message note notes comment comments enquiry inquiry query requirement requirements description details question yourmessage
    querymessage yourenquiry yourrequirement remark remarks संदेश मैसेज टिप्पणी मेसेज आवश्यकता mensagem suamensagem observacoes mensaje
    sumensaje comentario comentarios consulta votremessage commentaire commentaires nachricht ihrenachricht kommentar anfrage bemerkung
    messaggio iltuomessaggio commento richiesta pesan pesananda keterangan mesaj mesajiniz not الرسالة رسالة رسالتك ملاحظات
    செய்தி சந்தேகம் సందేశం বার্তা সংদেশ মেসেজ સંદેશ સંદેશો сообщение вашесообщение комментарий вопрос 留言 消息 备注 メッセージ お問い合わせ内容
    お問い合わせ ご質問 메시지 문의내용`,
  source: `source leadsource`,
  form: `form formname formid formtitle`,
}
const MEANINGS = new Map<string, Meaning>(
  Object.entries(NAMES).flatMap(([meaning, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [plainName(name), meaning as Meaning] as const),
  ),
)

/** Words around the meaningful word: `Please enter your full name`. */
const FILLERS = new Set(
  `a an the your my our of for to is s what please enter type write provide leave us here full complete customer client contact lead
  sender buyer visitor guest person applicant patient student parent whats and any additional special other optional required primary
  best preferred personal id no number field input text txt form su tu sua seu votre ihr ihre dein il el la le de di do da
  आपका अपना का की कृपया पूरा`
    .split(/\s+/)
    .flatMap(words),
)

/** Returns the meaning of a field with this name, if any. */
export const meaningOf = memoize(readMeaning)

/** Returns whether a form builder added the word to a name: a number, a hash, `field`. */
const isWrapping = (word: string): boolean =>
  /^(?:q?\d+|field|comp)$/.test(word) || (/^[\da-f]+$/.test(word) && /\d/.test(word))

function readMeaning(name: string): Meaning | undefined {
  const parts = words(name)
  const whole = MEANINGS.get(parts.join(''))
  if (whole !== undefined) return whole
  // Form builders add parts to names: `q3_name`, `field:phone_6a9f`, `name-1`.
  const core = parts.filter((word) => !isWrapping(word))
  return core.length > 0 && core.length < parts.length ? MEANINGS.get(core.join('')) : undefined
}

/** Returns the meaning of a name with other words around it: `What is your name?`. */
export const meaningAmong = memoize(readMeaningAmong)

function readMeaningAmong(name: string): Meaning | undefined {
  const parts = words(name)
  if (parts.length > 10) return undefined
  const core = parts.filter((word) => !FILLERS.has(word) && !/^\d+$/.test(word))
  const meaning = MEANINGS.get(core.join(''))
  return meaning === 'form' || meaning === 'source' ? undefined : meaning
}

/** Parts of words in fields that may contain a number. The value decides. */
const PHONE_PARTS =
  /phone|mobile|mobil|whats\s?app|telefon|telepon|celular|cellular|handy|movil|portable|ponsel|rufnummer|फोन|मोबा|व्हाट्स|व्हॉट्स|दूरभाष|भ्रमणध्वनी|ফোন|মোবাইল|தொலைபேசி|கைபேசி|மொபைல்|அலைபேசி|ఫోన్|మొబైల్|ફોન|મોબા|ಫೋನ್|ಮೊಬೈಲ್|ഫോൺ|മൊബൈൽ|ਫੋਨ|ਮੋਬਾ|هاتف|جوال|موبايل|واتس|телефон|мобильн|电话|電話|手机|手機|携帯|전화|휴대폰|โทรศัพท์|dienthoai/
const PHONE_WORDS = new Set([
  'tel',
  'mob',
  'cell',
  'ph',
  'wa',
  'hp',
  'gsm',
  'msisdn',
  'whatsapp',
  'тел',
  'fone',
])
const MOBILE_PARTS =
  /mobile?|whatsapp|cell|celular|handy|movil|ponsel|मोबा|व्हाट्स|মোবাইল|கைபேசி|மொபைல்|మొబైల్|મોબા|جوال|موبايل|واتس|мобильн|手机|手機|携帯|휴대폰/
/** Numbers that aren't the customer's main number: an office, a second number. */
const SECOND =
  /alt|other|second|office|compan|business|work|home|landline|emergency|parent|guardian|spouse|reference|friend|2$/
/** Numbers and people on our side of the enquiry. */
const OURS =
  /receiver|recipient|seller|agent|dealer|virtual|called|assigned|owner|vendor|supplier|branch|helpline|support|advertiser|broker|salesperson|did\b|fax/

export const mentionsPhone = memoize((name) => {
  const parts = words(name)
  return PHONE_PARTS.test(parts.join('')) || parts.some((word) => PHONE_WORDS.has(word))
})
export const mentionsMobile = memoize((name) => MOBILE_PARTS.test(plainName(name)))
export const isSecond = memoize((name) => SECOND.test(plainName(name)))
export const isOurs = memoize((name) => OURS.test(words(name).join(' ')))

/** Things that have names, numbers, and addresses. Fields in them aren't about the person. */
const THINGS = new Set(
  `company organization organisation business product item items campaign ad adset adgroup page site website store shop property project
  listing plan agent owner seller receiver vendor dealer meta metadata file files image event workflow account`.split(
    /\s+/,
  ),
)
/** Returns whether a field in an object with this name is about a thing and not about the person. */
export const isThing = memoize((name) => words(name).some((word) => THINGS.has(word)))

/** Fields for the form and its programs, which no person was asked for. */
const TECHNICAL =
  /captcha|turnstile|csrf|xsrf|nonce|token|password|passwd|secret|useragent|remoteip|ipaddress|referer|referrer|honeypot|wpcf7|^wp|gclid|gclsrc|gbraid|wbraid|fbclid|fbp$|fbc$|msclkid|ttclid|submissionid|sessionid|responseid|respondentid|eventid|webhook|rawrequest|^pretty$|googlekey|apiversion|apikey|querytime|uniquequeryid|createdat|updatedat|submittedat|submittime|timestamp|datecreated|landedat/
const TECHNICAL_WHOLE = new Set(
  `ip id url uri action event eventtype triggertype lang locale timezone testlead istest submit button postid formid formname formtitle formelementid pageid
  siteid leadid leadgenid adid adgroupid adsetid campaignid creativeid assetgroupid accountid userid queryid queriedid pageurl sourceurl landingpage
  isspam querytype totalrecords useragent credit poweredby submission slotid entryid formurl contactid visitorid gclid gclsid google key columnid
  isorganic retailerid versionedleadgenformurn submitter leadtype countrycode countryiso dialcode phonecode callingcode phonecountry phonecountrycode sendercountryiso`.split(
    /\s+/,
  ),
)
export const isTechnical = memoize((name) => {
  const plainText = plainName(name)
  return name.startsWith('_') || TECHNICAL.test(plainText) || TECHNICAL_WHOLE.has(plainText)
})

const SECRETS =
  /captcha|turnstile|csrf|xsrf|password|passwd|passcode|passphrase|secret|googlekey|apikey|nonce|cardnumber|cardno$|ccnum|cardcvv|cardcvc/
const SECRET_WORDS = new Set(['pwd', 'cvv', 'cvv2', 'cvc', 'cvc2', 'otp', 'jwt', 'bearer'])

/**
 * Returns whether a field is a secret that is never shown or passed on: keys, passwords, and card numbers in
 * a form. A `token_amount` isn't a token.
 */
export const isSecret = memoize((name) => {
  const parts = words(name)
  return (
    SECRETS.test(parts.join('')) ||
    parts.some((word) => SECRET_WORDS.has(word)) ||
    (parts.length <= 3 && parts.at(-1) === 'token')
  )
})

/** Fields with the country of a national number. Fields about numbers take precedence. */
const CODES = new Set(
  `countrycode phonecountrycode mobilecountrycode dialcode dialingcode callingcode phonecode phonecountry mobilecountry isdcode isd ddi
  countrydialcode countrycallingcode phoneprefix prefijo prefisso vorwahl landesvorwahl indicatif indicativo cc senderdialcode
  codigopais codigodopais codigodelpais countryiso countryiso2 countryiso3 iso2 sendercountryiso isocountry mobilecc`.split(
    /\s+/,
  ),
)
const COUNTRIES = new Set(
  'country countryname nation pais land pays paese negara ulke देश দেশ நாடு దేశం દેશ страна بلد البلد الدولة 国家 國家 国 나라'
    .split(' ')
    .map(plainName),
)
/** Returns 0 for the country of a number, 1 for a country, undefined for neither. */
export const countryRank = memoize(readCountryRank)

function readCountryRank(name: string): 0 | 1 | undefined {
  const parts = words(name)
  const plainText = parts.join('')
  if (CODES.has(plainText)) return 0
  const core = parts
    .filter((word) => !/^(?:sender|customer|contact|lead|your|billing|q?\d+|field)$/.test(word))
    .join('')
  if (CODES.has(core)) return 0
  return COUNTRIES.has(plainText) || COUNTRIES.has(core) ? 1 : undefined
}

/** Names of fields whose long digits are not a phone number. */
const OTHER_NUMBERS =
  /id\b|ids\b|key|token|zip|pin|postal|postcode|gst|pan\b|aadhaar|account|order|invoice|price|amount|budget|value|salary|income|cost|qty|quantity|time|date|stamp|year|ip\b|lat|lng|lon\b|otp|size|area|code|serial|imei|model|count|score|rating|number of|url/
export const isOtherNumber = memoize((name) => OTHER_NUMBERS.test(words(name).join(' ')))
