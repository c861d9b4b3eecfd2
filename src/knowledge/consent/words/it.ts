import { type LanguageWords, phrases } from '../phrases.ts'

export const it: LanguageWords = {
  language: 'it',
  accept: phrases(`
    accetta | accetta tutti | accetta tutto | accetta tutti i cookie | accetta i cookie | accetto | accetto tutti |
    accettare | accettare tutto | accetta e chiudi | accetta e continua | accetto i cookie | acconsento | acconsenti |
    consenti | consenti tutti | consenti tutti i cookie | consenti tutto | sono d’accordo | abilita tutti
  `),
  acknowledge: phrases(`ho capito | va bene | ok per me | per me va bene`),
  reject: phrases(`
    rifiuta | rifiuta tutti | rifiuta tutto | rifiuta tutti i cookie | rifiuta i cookie | rifiuto | rifiutare |
    non accetto | rifiutare tutto | continua senza accettare | continua senza consenso | nega | nega tutti |
    no grazie | no | non accettare | solo necessari | solo i necessari | solo cookie necessari |
    solo i cookie necessari | accetta solo i necessari | accetta solo cookie necessari | solo cookie tecnici |
    accetta solo i cookie tecnici | usa solo i cookie necessari | solo essenziali | solo cookie essenziali |
    non acconsento | rifiuta non necessari | disabilita tutti | consenti solo i necessari | prosegui senza accettare
  `),
  settings: phrases(`
    impostazioni | impostazioni cookie | impostazioni dei cookie | personalizza | gestisci | gestisci cookie |
    gestisci i cookie | gestisci opzioni | gestisci preferenze | gestisci le preferenze | preferenze |
    preferenze cookie | più opzioni | altre opzioni | mostra dettagli | configura | scopri di più e personalizza |
    modifica impostazioni | opzioni
  `),
  save: phrases(`
    salva | salva preferenze | salva le preferenze | salva impostazioni | conferma | conferma scelte |
    conferma le mie scelte | consenti selezionati | accetta selezionati | salva e chiudi | salva e continua
  `),
  revoke: phrases(`
    revoca il consenso | revoca consenso | revoca | modifica consenso | modifica il consenso |
    rivedi le tue scelte sui cookie | aggiorna le preferenze sui cookie | cambia il tuo consenso |
    le tue preferenze relative alla privacy
  `),
  negations: phrases(`non | senza | solo | soltanto | necessari | tecnici | essenziali`),
  topic: phrases(`
    cookie | consens | privacy | tracciament | profilazione | terze parti | partner | dati personali
  `),
  privacy: phrases(`
    privacy | privacy policy | informativa privacy | informativa sulla privacy | protezione dei dati |
    trattamento dei dati | riservatezza
  `),
  imprint: phrases(`note legali | informazioni legali | dati societari | colophon | impressum`),
  cookies: phrases(`
    cookie policy | informativa sui cookie | informativa cookie | cookie | politica sui cookie
  `),
  terms: phrases(`
    termini e condizioni | condizioni generali | condizioni di vendita | termini di servizio | condizioni d’uso |
    termini di utilizzo
  `),
}
