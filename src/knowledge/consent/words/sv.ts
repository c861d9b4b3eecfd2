import { type LanguageWords, phrases } from '../phrases.ts'

export const sv: LanguageWords = {
  language: 'sv',
  accept: phrases(`
    acceptera | acceptera alla | acceptera alla cookies | acceptera alla kakor | acceptera kakor | godkänn |
    acceptera cookies | godkänn alla | godkänn alla cookies | godkänn alla kakor | godkänn cookies | jag godkänner |
    jag accepterar | tillåt alla | tillåt alla cookies | tillåt alla kakor | tillåt | jag samtycker | samtyck |
    godkänn och stäng | godkänn och fortsätt | samtyck till alla
  `),
  acknowledge: phrases(`okej | jag förstår`),
  reject: phrases(`
    avvisa | avvisa alla | avvisa alla cookies | neka | neka alla | neka alla cookies | neka cookies | avböj |
    avböj alla | avböj alla cookies | nej tack | nej | acceptera inte | godkänn inte | tillåt inte |
    endast nödvändiga | endast nödvändiga cookies | endast nödvändiga kakor | bara nödvändiga |
    bara nödvändiga cookies | bara nödvändiga kakor | godkänn endast nödvändiga |
    acceptera endast nödvändiga cookies | tillåt endast nödvändiga | acceptera nödvändiga cookies |
    fortsätt utan att acceptera | fortsätt utan att godkänna | använd endast nödvändiga cookies |
    neka icke nödvändiga
  `),
  settings: phrases(`
    inställningar | cookieinställningar | kakinställningar | anpassa | anpassa inställningar | hantera inställningar |
    hantera cookies | hantera alternativ | hantera val | fler alternativ | visa detaljer | välj själv |
    ändra inställningar | inställningar för cookies | inställningar för kakor
  `),
  save: phrases(`
    spara | spara val | spara mina val | spara inställningar | bekräfta | bekräfta val | bekräfta mina val |
    tillåt urval | spara och stäng
  `),
  revoke: phrases(`
    återkalla samtycke | återkalla mitt samtycke | ändra samtycke | ändra ditt samtycke | ändra cookieinställningar |
    hantera samtycke
  `),
  negations: phrases(`inte | utan | endast | bara | nödvändiga | ej`),
  topic: phrases(`
    cookie | kakor | samtyck | integritet | spårning | personanpass | tredje part | partner | personuppgift
  `),
  privacy: phrases(`
    integritetspolicy | integritet | personuppgiftspolicy | dataskydd | behandling av personuppgifter |
    sekretesspolicy | dataskyddspolicy
  `),
  imprint: phrases(`
    juridisk information | företagsinformation | utgivare | om webbplatsen | rättslig information
  `),
  cookies: phrases(`cookiepolicy | cookies | kakor | om cookies | om kakor | användning av cookies`),
  terms: phrases(`allmänna villkor | användarvillkor | villkor | köpvillkor`),
}
