import { type LanguageWords, phrases } from '../phrases.ts'

export const et: LanguageWords = {
  language: 'et',
  accept: phrases(`
    nõustu | nõustun | nõustu kõigiga | nõustun kõigiga | nõustu kõikidega | nõustun kõikidega |
    nõustu kõigi küpsistega | nõustun kõigi küpsistega | luba kõik | luba kõik küpsised | luban kõik | luba |
    aktsepteeri | aktsepteeri kõik | aktsepteerin | kinnita kõik | olen nõus | lubage kõik | nõustu küpsistega
  `),
  acknowledge: phrases(`selge | sain aru`),
  reject: phrases(`
    keeldu | keeldun | keeldu kõigist | keeldun kõigist | keeldu kõigist küpsistest | lükka tagasi |
    lükka kõik tagasi | lükkan kõik tagasi | ei nõustu | ma ei nõustu | ei aitäh | ei | ainult vajalikud |
    ainult vajalikud küpsised | ainult hädavajalikud | luba ainult vajalikud | luba ainult vajalikud küpsised |
    nõustu ainult vajalikega | nõustun ainult vajalike küpsistega | kasuta ainult vajalikke küpsiseid |
    jätka ilma nõustumata | keela | keela kõik | ainult kohustuslikud
  `),
  settings: phrases(`
    seaded | sätted | küpsiste seaded | küpsiste sätted | kohanda | halda | halda küpsiseid | halda valikuid |
    halda eelistusi | muuda seadeid | muuda sätteid | eelistused | rohkem valikuid | valikud | näita üksikasju |
    vali küpsised | seadista
  `),
  save: phrases(`
    salvesta | salvesta seaded | salvesta sätted | salvesta valik | salvesta valikud | kinnita | kinnita valik |
    kinnita minu valikud | luba valitud | salvesta ja sulge | nõustu valitutega
  `),
  revoke: phrases(`
    võta nõusolek tagasi | nõusoleku tagasivõtmine | muuda nõusolekut | muuda küpsiste seadeid | halda nõusolekut
  `),
  negations: phrases(`ei | ära | ilma | ainult | vajalikud | vajalike | vajalikega`),
  topic: phrases(`
    küpsis | nõusolek | privaatsus | jälgim | isikupära | kolmanda | partner | isikuandme | cookie
  `),
  privacy: phrases(`
    privaatsuspoliitika | privaatsus | andmekaitse | andmekaitsetingimused | privaatsustingimused |
    isikuandmete töötlemine | isikuandmete kaitse
  `),
  imprint: phrases(`õiguslik teave | ettevõtte andmed | rekvisiidid | juriidiline teave`),
  cookies: phrases(`küpsised | küpsiste kasutamine | küpsiste poliitika | küpsiste tingimused`),
  terms: phrases(`kasutustingimused | müügitingimused | üldtingimused | tingimused | ostutingimused`),
}
