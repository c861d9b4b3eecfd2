import { type LanguageWords, phrases } from '../phrases.ts'

export const fi: LanguageWords = {
  language: 'fi',
  accept: phrases(`
    hyväksy | hyväksy kaikki | hyväksy kaikki evästeet | hyväksy evästeet | hyväksyn | hyväksyn kaikki |
    hyväksyn evästeet | salli | salli kaikki | salli kaikki evästeet | salli evästeet | suostun | hyväksy ja sulje |
    hyväksy ja jatka | kyllä kiitos | hyväksyn kaikki evästeet
  `),
  acknowledge: phrases(`selvä | ymmärrän`),
  reject: phrases(`
    hylkää | hylkää kaikki | hylkää kaikki evästeet | hylkää evästeet | kieltäydy | kieltäydy kaikista | kiellä |
    kiellä kaikki | kiellä kaikki evästeet | estä | estä kaikki | en hyväksy | en suostu | ei kiitos | ei |
    vain välttämättömät | vain välttämättömät evästeet | vain pakolliset | vain tarpeelliset |
    vain tarpeelliset evästeet | hyväksy vain välttämättömät | hyväksy vain välttämättömät evästeet |
    hyväksy välttämättömät | salli vain välttämättömät | salli vain välttämättömät evästeet |
    käytä vain välttämättömiä evästeitä | jatka hyväksymättä | jatka ilman hyväksyntää |
    vain välttämättömät evästeet käyttöön | kieltäydyn
  `),
  settings: phrases(`
    asetukset | evästeasetukset | evästeiden asetukset | mukauta | mukauta asetuksia | muokkaa asetuksia | hallitse |
    hallitse evästeitä | hallitse asetuksia | hallitse vaihtoehtoja | hallinnoi evästeitä | lisää vaihtoehtoja |
    vaihtoehdot | näytä tiedot | muuta asetuksia | valitse evästeet | lisäasetukset
  `),
  save: phrases(`
    tallenna | tallenna asetukset | tallenna valinnat | tallenna valintani | vahvista | vahvista valinnat |
    vahvista valintani | salli valitut | salli valinta | hyväksy valitut | tallenna ja sulje
  `),
  revoke: phrases(`
    peruuta suostumus | peru suostumus | muuta suostumusta | muuta evästeasetuksia | hallitse suostumusta |
    peruuta suostumukseni | muokkaa evästeasetuksia
  `),
  negations: phrases(`en | ei | ilman | vain | välttämättömät | tarpeelliset | pakolliset`),
  topic: phrases(`
    eväste | suostumu | tietosuoj | yksityisyy | seuran | kolmansien osapuol | kumppan | henkilötie | cookie
  `),
  privacy: phrases(`
    tietosuoja | tietosuojaseloste | tietosuojakäytäntö | yksityisyydensuoja | rekisteriseloste | tietosuojalauseke |
    tietosuoja ja evästeet
  `),
  imprint: phrases(`
    oikeudelliset tiedot | yritystiedot | julkaisutiedot | oikeudellinen huomautus | yrityksen tiedot
  `),
  cookies: phrases(`evästeet | evästekäytäntö | evästeseloste | evästeiden käyttö | tietoa evästeistä`),
  terms: phrases(`käyttöehdot | toimitusehdot | sopimusehdot | ehdot | yleiset ehdot | myyntiehdot`),
}
