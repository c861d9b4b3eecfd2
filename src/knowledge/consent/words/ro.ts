import { type LanguageWords, phrases } from '../phrases.ts'

export const ro: LanguageWords = {
  language: 'ro',
  accept: phrases(`
    accept | acceptă | acceptă tot | acceptă toate | acceptă toate cookie-urile | accept toate |
    accept toate cookie-urile | acceptați | acceptați toate | acceptați tot | sunt de acord | de acord |
    permite toate | permite tot | permite toate cookie-urile | acceptare | acceptă cookie-uri | acceptă și închide |
    acceptă și continuă | acceptă modulele cookie
  `),
  acknowledge: phrases(`am înțeles`),
  reject: phrases(`
    refuz | refuză | refuză tot | refuză toate | refuz toate | refuză toate cookie-urile | respinge | respinge tot |
    respinge toate | respinge toate cookie-urile | respingeți | respingeți toate | refuzați | refuzați toate |
    nu accept | nu sunt de acord | nu mulțumesc | nu | doar necesare | doar cele necesare | doar cookie-uri necesare |
    numai necesare | acceptă doar necesare | acceptă doar cookie-urile necesare | doar cookie-urile necesare |
    numai cookie-urile necesare | continuă fără a accepta | doar esențiale | accept doar cele necesare
  `),
  settings: phrases(`
    setări | setări cookie | setări cookie-uri | setări cookies | personalizează | personalizare | gestionează |
    gestionați | gestionare cookie-uri | preferințe | gestionează opțiunile | gestionează preferințele |
    mai multe opțiuni | opțiuni | arată detalii | modifică setările | configurează
  `),
  save: phrases(`
    salvează | salvează preferințele | salvează setările | salvați | confirmă | confirmă alegerile |
    confirmați alegerile mele | permite selecția | salvează și închide | acceptă selecția
  `),
  revoke: phrases(`
    retrage consimțământul | retragere consimțământ | modifică consimțământul | schimbă consimțământul |
    modifică preferințele cookie | revocă consimțământul | gestionează consimțământul
  `),
  negations: phrases(`nu | fără | doar | numai | necesare | esențiale`),
  topic: phrases(`
    cookie | consimț | confidențialit | urmărire | personaliz | terți | parteneri | date cu caracter personal
  `),
  privacy: phrases(`
    confidențialitate | politica de confidențialitate | politică de confidențialitate | protecția datelor |
    protecția datelor personale | prelucrarea datelor | gdpr
  `),
  imprint: phrases(`informații legale | mențiuni legale | date de identificare | aviz juridic | notă legală`),
  cookies: phrases(`
    politica de cookies | politica cookie | politică cookie | politica de cookie-uri | cookies | cookie-uri
  `),
  terms: phrases(`termeni și condiții | termeni de utilizare | condiții generale | condiții de utilizare`),
}
