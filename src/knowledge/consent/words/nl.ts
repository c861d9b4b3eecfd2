import { type LanguageWords, phrases } from '../phrases.ts'

export const nl: LanguageWords = {
  language: 'nl',
  accept: phrases(`
    accepteren | alles accepteren | alle accepteren | alle cookies accepteren | cookies accepteren | accepteer |
    accepteer alle | accepteer alles | accepteer alle cookies | accepteer cookies | ik accepteer | akkoord |
    ik ga akkoord | akkoord en doorgaan | akkoord en sluiten | ja ik ga akkoord | alles toestaan |
    alle cookies toestaan | cookies toestaan | toestaan | sta alle cookies toe | toestemmen | ja graag
  `),
  acknowledge: phrases(`begrepen | prima | ok voor mij`),
  reject: phrases(`
    weigeren | alles weigeren | alle weigeren | alle cookies weigeren | cookies weigeren | weiger | weiger alles |
    weiger alle cookies | afwijzen | alles afwijzen | alle cookies afwijzen | wijs alles af | niet akkoord |
    niet accepteren | niet toestaan | nee | nee bedankt | nee dank je | doorgaan zonder te accepteren |
    doorgaan zonder toestemming | verder zonder accepteren | alleen noodzakelijk | alleen noodzakelijke cookies |
    alleen noodzakelijke cookies accepteren | alleen noodzakelijke | alleen functionele cookies | alleen functioneel |
    alleen essentiële cookies | alleen strikt noodzakelijke cookies | optionele cookies weigeren |
    alleen vereiste cookies
  `),
  settings: phrases(`
    instellingen | cookie-instellingen | cookie instellingen | cookies instellen | instellingen aanpassen |
    aanpassen | instellingen beheren | instellingen wijzigen | voorkeuren | voorkeuren beheren |
    voorkeuren aanpassen | beheren | cookies beheren | opties beheren | meer opties | zelf instellen | details tonen |
    zelf kiezen | personaliseren | beheer opties | beheer cookies | beheer voorkeuren
  `),
  save: phrases(`
    opslaan | voorkeuren opslaan | instellingen opslaan | keuze opslaan | selectie opslaan | selectie toestaan |
    bevestigen | bevestig mijn keuzes | keuze bevestigen | opslaan en sluiten | mijn keuzes bevestigen
  `),
  revoke: phrases(`
    toestemming intrekken | toestemming wijzigen | cookievoorkeuren wijzigen | cookie-instellingen wijzigen |
    cookievoorkeuren | privacy-instellingen | privacyinstellingen | wijzig uw toestemming | cookietoestemming
  `),
  negations: phrases(`niet | geen | zonder | alleen | noodzakelijke | essentiële | functionele`),
  topic: phrases(`
    cookie | toestemming | privacy | tracking | personalis | derden | partners | persoonsgegevens
  `),
  privacy: phrases(`
    privacy | privacybeleid | privacyverklaring | privacy statement | privacyreglement | privacy en cookies
  `),
  imprint: phrases(`
    colofon | juridische informatie | bedrijfsgegevens | wettelijke vermeldingen | impressum
  `),
  cookies: phrases(`cookiebeleid | cookieverklaring | cookies | cookie policy | gebruik van cookies`),
  terms: phrases(`algemene voorwaarden | gebruiksvoorwaarden | voorwaarden | verkoopvoorwaarden`),
}
