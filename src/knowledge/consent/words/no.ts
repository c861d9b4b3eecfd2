import { type LanguageWords, phrases } from '../phrases.ts'

export const no: LanguageWords = {
  language: 'no',
  accept: phrases(`
    godta | godta alle | godta alt | godta alle informasjonskapsler | godta alle cookies | aksepter | aksepter alle |
    aksepter alle cookies | jeg godtar | jeg aksepterer | tillat alle | tillat | tillat alle cookies | godkjenn |
    godkjenn alle | jeg samtykker | samtykk | samtykk til alle | ja takk
  `),
  acknowledge: phrases(`jeg forstår | den er grei`),
  reject: phrases(`
    avvis | avvis alle | avvis alle cookies | avslå | avslå alle | nei takk | nei | ikke godta | ikke tillat |
    kun nødvendige | kun nødvendige cookies | kun nødvendige informasjonskapsler | bare nødvendige |
    godta kun nødvendige | bare nødvendige informasjonskapsler | godta bare nødvendige | tillat kun nødvendige |
    fortsett uten å godta | fortsett uten samtykke | avvis valgfrie | aksepter kun nødvendige |
    avvis informasjonskapsler
  `),
  settings: phrases(`
    innstillinger | informasjonskapselinnstillinger | cookie-innstillinger | tilpass | tilpass innstillinger |
    administrer innstillinger | administrer cookies | administrer valg | flere valg | vis detaljer |
    endre innstillinger | velg selv
  `),
  save: phrases(`
    lagre | lagre valg | lagre mine valg | lagre innstillinger | bekreft | bekreft valg | bekreft mine valg |
    tillat utvalgte
  `),
  revoke: phrases(`
    trekk tilbake samtykke | trekk tilbake samtykket | endre samtykke | endre ditt samtykke | administrer samtykke |
    endre cookie-innstillinger
  `),
  negations: phrases(`ikke | uten | kun | bare | nødvendige`),
  topic: phrases(`
    cookie | informasjonskaps | samtykk | personvern | sporing | tredjepart | partner | personopplysning
  `),
  privacy: phrases(`
    personvern | personvernerklæring | personvernpolicy | personvernregler | behandling av personopplysninger
  `),
  imprint: phrases(`juridisk informasjon | selskapsinformasjon | kolofon | ansvarlig utgiver`),
  cookies: phrases(`
    informasjonskapsler | cookies | bruk av informasjonskapsler | cookie-erklæring | om informasjonskapsler
  `),
  terms: phrases(`vilkår | brukervilkår | salgsvilkår | kjøpsvilkår | vilkår og betingelser`),
}
