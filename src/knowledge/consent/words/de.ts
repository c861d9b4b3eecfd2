import { type LanguageWords, phrases } from '../phrases.ts'

export const de: LanguageWords = {
  language: 'de',
  accept: phrases(`
    akzeptieren | alle akzeptieren | alles akzeptieren | alle cookies akzeptieren | cookies akzeptieren |
    akzeptieren und weiter | akzeptieren und schließen | akzeptieren und weitersurfen | ich akzeptiere |
    ich akzeptiere alle | annehmen | alle annehmen | alle cookies annehmen | zustimmen | allem zustimmen |
    allen zustimmen | ich stimme zu | stimme zu | zustimmen und weiter | zustimmen und schließen | einwilligen |
    ich willige ein | einverstanden | ich bin einverstanden | alle erlauben | erlauben | alle cookies erlauben |
    cookies erlauben | cookies zulassen | alle zulassen | alle cookies zulassen | zulassen | alle auswählen |
    alle auswählen und bestätigen | alle aktivieren | ja einverstanden | alle bestätigen | ja ich stimme zu
  `),
  acknowledge: phrases(`alles klar | verstanden | in ordnung | geht klar | ok für mich | für mich ok | passt für mich`),
  reject: phrases(`
    ablehnen | alle ablehnen | alles ablehnen | alle cookies ablehnen | cookies ablehnen | optionale ablehnen |
    optionale cookies ablehnen | nicht notwendige ablehnen | nicht akzeptieren | nicht zustimmen | ich lehne ab |
    nein | nein danke | verweigern | alle verweigern | verbieten | alle verbieten | widersprechen |
    allem widersprechen | weiter ohne zustimmung | weiter ohne einwilligung | ohne zustimmung fortfahren |
    ohne einwilligung fortfahren | fortfahren ohne zu akzeptieren | weiter ohne zu akzeptieren | nur notwendige |
    nur notwendige cookies | nur notwendige cookies akzeptieren | nur notwendige akzeptieren | nur essenzielle |
    nur notwendige cookies verwenden | nur notwendige cookies zulassen | nur essenzielle cookies akzeptieren |
    nur essenzielle cookies | nur erforderliche | nur erforderliche cookies | nur erforderliche cookies zulassen |
    nur erforderliche akzeptieren | nur technisch notwendige | nur technisch notwendige cookies | nur funktionale |
    nur technisch notwendige cookies akzeptieren | notwendige cookies akzeptieren | nur wesentliche cookies |
    alle deaktivieren | nicht einverstanden | nur unbedingt erforderliche cookies | nicht erlauben |
    einwilligung ablehnen | technisch notwendige | technisch notwendige cookies
  `),
  settings: phrases(`
    einstellungen | cookie-einstellungen | cookieeinstellungen | cookie einstellungen | einstellungen anpassen |
    einstellungen verwalten | einstellungen ändern | anpassen | konfigurieren | mehr optionen | optionen |
    optionen verwalten | cookies verwalten | individuelle einstellungen | individuelle datenschutzeinstellungen |
    präferenzen | präferenzen verwalten | details | details anzeigen | details zeigen | auswahl anpassen |
    datenschutzeinstellungen | datenschutz-einstellungen | mehr erfahren und anpassen | selbst auswählen |
    weitere einstellungen | zwecke anzeigen | einstellungen oder ablehnen | verwalten | verwalten oder ablehnen | einstellungen anzeigen
  `),
  save: phrases(`
    speichern | auswahl speichern | auswahl bestätigen | auswahl erlauben | auswahl akzeptieren |
    einstellungen speichern | einstellungen bestätigen | speichern und schließen | bestätigen |
    ausgewählte akzeptieren | übernehmen | auswahl übernehmen | meine auswahl bestätigen | präferenzen speichern
  `),
  revoke: phrases(`
    einwilligung widerrufen | zustimmung widerrufen | einwilligungen widerrufen | einwilligung ändern | widerrufen |
    cookie-einstellungen ändern | cookie-einwilligung ändern | privatsphäre-einstellungen ändern |
    privatsphäre-einstellungen | privatsphäre | consent-einstellungen | einwilligungen verwalten | consent manager |
    cookie-zustimmung verwalten | historie der privatsphäre-einstellungen | utiq verwalten
  `),
  negations: phrases(`
    nicht | ohne | nur | kein | keine | notwendige | erforderliche | essenzielle | essentielle
  `),
  topic: phrases(`
    cookie | einwillig | zustimm | datenschutz | tracking | personalisier | drittanbieter | partner |
    personenbezogen
  `),
  privacy: phrases(`
    datenschutz | datenschutzerklärung | datenschutzhinweise | datenschutzhinweis | datenschutzbestimmungen |
    datenschutzrichtlinie | datenschutzinformation | datenschutzinformationen | hinweise zum datenschutz
  `),
  imprint: phrases(`
    impressum | anbieterkennzeichnung | rechtliche hinweise | rechtliches | offenlegung | anbieter
  `),
  cookies: phrases(`
    cookie-richtlinie | cookie-richtlinien | cookie-hinweis | cookie-hinweise | cookies | cookie-erklärung
  `),
  terms: phrases(`
    agb | allgemeine geschäftsbedingungen | nutzungsbedingungen | geschäftsbedingungen | verkaufsbedingungen
  `),
}
