import { type LanguageWords, phrases } from '../phrases.ts'

export const da: LanguageWords = {
  language: 'da',
  accept: phrases(`
    accepter | accepter alle | accepter alle cookies | accepter cookies | acceptér | acceptér alle | tillad alle |
    tillad alle cookies | tillad | jeg accepterer | godkend | godkend alle | godkend alle cookies | ja til alle |
    ja tak | jeg er enig | accepter og luk | tillad cookies | giv samtykke
  `),
  acknowledge: phrases(`forstået`),
  reject: phrases(`
    afvis | afvis alle | afvis alle cookies | afvis cookies | nej tak | nej | kun nødvendige |
    kun nødvendige cookies | tillad kun nødvendige | tillad kun nødvendige cookies | accepter kun nødvendige |
    accepter kun nødvendige cookies | brug kun nødvendige cookies | fortsæt uden at acceptere | accepter ikke |
    tillad ikke | afslå | afslå alle | nej til alle | fortsæt uden samtykke | afvis valgfrie cookies |
    accepter nødvendige
  `),
  settings: phrases(`
    indstillinger | cookieindstillinger | cookie-indstillinger | tilpas | tilpas indstillinger | administrer cookies |
    administrer indstillinger | administrer valg | flere valgmuligheder | vis detaljer | vælg selv |
    rediger indstillinger
  `),
  save: phrases(`
    gem | gem valg | gem indstillinger | gem mine valg | bekræft | bekræft valg | bekræft mine valg |
    tillad udvalgte | tillad valgte | gem og luk
  `),
  revoke: phrases(`
    tilbagetræk samtykke | træk samtykke tilbage | træk dit samtykke tilbage | ændr samtykke | ændre dit samtykke |
    skift samtykke | ændr cookieindstillinger
  `),
  negations: phrases(`ikke | uden | kun | nødvendige`),
  topic: phrases(`
    cookie | samtykke | privatliv | sporing | tredjepart | partner | personoplysning | persondata
  `),
  privacy: phrases(`
    privatlivspolitik | persondatapolitik | databeskyttelse | behandling af persondata | privatliv | persondata
  `),
  imprint: phrases(`
    juridiske oplysninger | juridisk information | virksomhedsoplysninger | kolofon | virksomhedsinformation
  `),
  cookies: phrases(`cookiepolitik | cookies | cookie-politik | om cookies | brug af cookies`),
  terms: phrases(`
    handelsbetingelser | vilkår | brugsvilkår | betingelser | salgsbetingelser | vilkår og betingelser
  `),
}
