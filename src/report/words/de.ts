/** The report's own words in German, by their English. A phrase that is not here does not compile. */

/** Singular and plural of what is counted. */
export const NOUNS_DE = {
  check: ['Prüfung', 'Prüfungen'],
  finding: ['Befund', 'Befunde'],
  form: ['Formular', 'Formulare'],
  line: ['Zeile', 'Zeilen'],
  'more line': ['weitere Zeile', 'weitere Zeilen'],
  problem: ['Problem', 'Probleme'],
  'problem is': ['Problem', 'Probleme'],
  'problem was': ['Problem', 'Probleme'],
  request: ['Anfrage', 'Anfragen'],
} as const satisfies Readonly<Record<string, readonly [one: string, several: string]>>

const NAMES = {
  Critical: 'Kritisch',
  High: 'Hoch',
  Medium: 'Mittel',
  Low: 'Niedrig',
  Info: 'Hinweis',
  critical: 'kritisch',
  high: 'hoch',
  medium: 'mittel',
  low: 'niedrig',
  'for information': 'zur Information',
  Confirmed: 'Bewiesen',
  Firm: 'Sicher',
  Tentative: 'Vermutung',
  Accepted: 'Hingenommen',
  'False positive': 'Fehlalarm',
  accepted: 'hingenommen',
  'false positive': 'Fehlalarm',
  New: 'Neu',
  Recurring: 'Wiederkehrend',
  new: 'neu',
  recurring: 'wiederkehrend',
  'in order': 'in Ordnung',
  'problem found': 'Problem gefunden',
  'does not apply': 'trifft nicht zu',
  'could not look': 'nicht prüfbar',
  'not tested': 'nicht geprüft',
  blocked: 'blockiert',
  inconclusive: 'ohne klares Ergebnis',
  parameter: 'Parameter',
  and: 'und',
  of: 'von',
  page: 'Seite',
  Page: 'Seite',
  because: 'weil',
  evidence: 'Beleg',
} as const

const COVER = {
  'Security report': 'Sicherheitsbericht',
  Confidential: 'Vertraulich',
  Cover: 'Titelseite',
  Contents: 'Inhalt',
  'Active scan': 'Aktiver Scan',
  'Passive scan': 'Passiver Scan',
  'no problem found': 'kein Problem gefunden',
  '{1} of 100 points': '{1} von 100 Punkten',
  provisional: 'vorläufig',
  Grade: 'Note',
  Logo: 'Logo',
  'Skip to the summary': 'Zur Zusammenfassung springen',
  'Result of a security scan': 'Ergebnis eines Sicherheitsscans',
  'Result of a security scan for {1}': 'Ergebnis eines Sicherheitsscans für {1}',
  'security, scan, report': 'Sicherheit, Scan, Bericht',
  'This report describes weaknesses of a live system.': 'Dieser Bericht beschreibt Schwächen eines laufenden Systems.',
  'This report describes weaknesses of a live system and was made for {1}.':
    'Dieser Bericht beschreibt Schwächen eines laufenden Systems und wurde für {1} erstellt.',
  'Share it only with people who need it to fix them. It shows what the scan could see at the time stated; it is no proof that nothing else is wrong.':
    'Geben Sie ihn nur an Personen weiter, die ihn zur Behebung brauchen. Er zeigt, was der Scan zum genannten Zeitpunkt sehen konnte; er beweist nicht, dass sonst nichts im Argen liegt.',
  'Prepared for': 'Erstellt für',
  'Scanned by': 'Gescannt mit',
  'Judged again': 'Neu beurteilt',
  'Signed by': 'Signiert mit',
  'To verify': 'Zum Prüfen',
  'sonde verify FOLDER --key FINGERPRINT; the service shows its own at /.well-known/sonde-signing-key':
    'sonde verify ORDNER --key FINGERABDRUCK; der Dienst zeigt seinen unter /.well-known/sonde-signing-key',
  '{1}, version {2}': '{1}, Version {2}',
  'on {1} from what was stored, after news from {2}; the target was not asked':
    'am {1} aus dem Gespeicherten, nach Neuigkeiten aus {2}; das Ziel wurde nicht gefragt',
} as const

const SUMMARY = {
  'Management summary': 'Zusammenfassung für die Leitung',
  'What was seen stands as the scanner wrote it, in English.':
    'Was im Einzelnen gesehen wurde, und manche Gründe stehen in den Worten des Scanners, auf Englisch.',
  'On {1} {2} was examined with {3} in {4}.': 'Am {1} wurde {2} mit {3} in {4} untersucht.',
  'The scan was active: besides looking at the site as a browser does, it sent harmless probes to see how the site withstands attacks.':
    'Der Scan war aktiv: Er hat die Website nicht nur wie ein Browser betrachtet, sondern auch harmlose Testanfragen gesendet, um zu sehen, wie sie Angriffen standhält.',
  'The scan was passive: it asked only what a browser asks and sent no attack. Flaws that only an attack shows are outside of it.':
    'Der Scan war passiv: Er hat nur gefragt, was ein Browser fragt, und keinen Angriff gesendet. Schwachstellen, die nur ein Angriff zeigt, liegen außerhalb.',
  'No problem was found by the checks that could look.':
    'Die Prüfungen, die stattfinden konnten, haben kein Problem gefunden.',
  'One of them needs attention at once.': 'Eines davon verlangt sofortiges Handeln.',
  '{1} of them need attention at once.': '{1} davon verlangen sofortiges Handeln.',
  'None needs attention at once; those of medium severity should be fixed in the coming weeks.':
    'Keines verlangt sofortiges Handeln; die von mittlerem Schweregrad sollten in den kommenden Wochen behoben werden.',
  'None is urgent.': 'Keines ist dringend.',
  '{1} found: {2}.': '{1} gefunden: {2}.',
  '{1} of these problems was accepted or called a false positive by the owners of the site: each is marked, and counts in the grade all the same.':
    '{1} dieser Probleme haben die Verantwortlichen hingenommen oder als Fehlalarm eingestuft: Es ist gekennzeichnet und zählt trotzdem in der Note.',
  '{1} of these problems were accepted or called a false positive by the owners of the site: each is marked, and counts in the grade all the same.':
    '{1} dieser Probleme haben die Verantwortlichen hingenommen oder als Fehlalarm eingestuft: Jedes ist gekennzeichnet und zählt trotzdem in der Note.',
  'Against the last finished scan of this domain {1} new.':
    'Gegenüber dem letzten abgeschlossenen Scan dieser Domain neu: {1}.',
  'no problem is': 'kein Problem',
  '{1} of that scan is gone.': '{1} aus jenem Scan ist behoben.',
  '{1} of that scan are gone.': '{1} aus jenem Scan sind behoben.',
  'No check reported what became of it; this report can make no statement about the site.':
    'Keine Prüfung hat gemeldet, was aus ihr wurde; dieser Bericht kann keine Aussage über die Website machen.',
  '{1} of {2} that apply could look': '{1} von {2} zutreffenden konnten stattfinden',
  '{1} could not. What they would have found is unknown, not clean: {2} names each with its reason.':
    '{1} nicht. Was sie gefunden hätten, ist unbekannt, nicht unauffällig: {2} nennt jede mit ihrem Grund.',
  'section {1}': 'Abschnitt {1}',
  'Section {1}': 'Abschnitt {1}',
  'annex {1}': 'Anhang {1}',
  'A fault of the scanner kept {1} from a whole answer ({2}): this says nothing about the site.':
    'Ein Fehler des Scanners hat {1} an einer vollständigen Antwort gehindert ({2}): Das sagt nichts über die Website.',
  'a survey leaves out what costs more, such as versions with known vulnerabilities: a whole run may find worse':
    'eine Übersicht auslässt, was mehr kostet, etwa Versionen mit bekannten Schwachstellen, und ein ganzer Lauf Schlimmeres finden kann',
  'fewer than 70 % of the checks could look': 'weniger als 70 % der Prüfungen stattfinden konnten',
  'It is provisional, because {1}.': 'Sie ist vorläufig, weil {1}.',
  'The grade is {1}, at {2} of 100 points.': 'Die Note ist {1}, bei {2} von 100 Punkten.',
  'Single areas, headers and TLS by their published scales':
    'Einzelne Bereiche, Header und TLS nach ihren veröffentlichten Skalen',
  'What limits the grade': 'Was die Note begrenzt',
  'What became of the {1} checks': 'Was aus den {1} Prüfungen wurde',
  'What to do first': 'Was zuerst zu tun ist',
  'First step': 'Erster Schritt',
  'finding {1}': 'Befund {1}',
  'and {1} alike': 'und {1} gleichartige',
  'Findings by severity': 'Befunde nach Schweregrad',
} as const

const METHOD = {
  'Method and coverage': 'Methode und Abdeckung',
  'The scan works in two steps. First it collects facts: answers, headers, certificates, pages. Then checks judge these facts, each by a published rule, so that the same facts always give the same findings. Every request went through one controlled way out that keeps to a pace, follows no redirect to a foreign address and records each request in the audit log.':
    'Der Scan arbeitet in zwei Schritten. Zuerst sammelt er Fakten: Antworten, Header, Zertifikate, Seiten. Dann beurteilen Prüfungen diese Fakten, jede nach einer veröffentlichten Regel, sodass dieselben Fakten immer dieselben Befunde ergeben. Jede Anfrage ging durch einen kontrollierten Ausgang, der ein Tempo einhält, keiner Weiterleitung zu einer fremden Adresse folgt und jede Anfrage im Prüfprotokoll festhält.',
  'An active scan also sends probes: they show that a flaw is there without using it, write nothing that lasts and read no personal data.':
    'Ein aktiver Scan sendet auch Testanfragen: Sie zeigen, dass eine Schwachstelle da ist, ohne sie auszunutzen, schreiben nichts Bleibendes und lesen keine personenbezogenen Daten.',
  'How the scan was made': 'Wie der Scan durchgeführt wurde',
  'How far the scan came': 'Wie weit der Scan kam',
  'What could not be looked at': 'Was nicht geprüft werden konnte',
  'What was looked at': 'Was geprüft wurde',
  Target: 'Ziel',
  Addresses: 'Adressen',
  'none found': 'keine gefunden',
  'Kind of scan': 'Art des Scans',
  'active: also sent probes': 'aktiv: auch Testanfragen gesendet',
  'passive: asked only what a browser asks': 'passiv: nur gefragt, was ein Browser fragt',
  Environment: 'Umgebung',
  'production: nothing was sent that stores, changes, orders, sends or configures':
    'Produktion: nichts gesendet, was speichert, ändert, bestellt, versendet oder konfiguriert',
  'test: requests that may write were sent, within bounds':
    'Test: möglicherweise schreibende Anfragen wurden in Grenzen gesendet',
  'Kind of site': 'Art der Website',
  'not stated; severities are as is': 'nicht angegeben; Schweregrade unverändert',
  Options: 'Optionen',
  'privacy check in a browser': 'Datenschutzprüfung im Browser',
  'no privacy check': 'keine Datenschutzprüfung',
  'possible CVEs included': 'einschließlich möglicher CVEs',
  'full template catalogue': 'voller Template-Katalog',
  'dry run: no probe was sent': 'Probelauf: keine Testanfrage gesendet',
  'survey: the cheapest modules alone': 'Übersicht: nur die günstigsten Module',
  'never asked for: {1}': 'nie abgefragt: {1}',
  Started: 'Beginn',
  Duration: 'Dauer',
  Requests: 'Anfragen',
  '{1} a second on average': 'im Mittel {1} je Sekunde',
  Written: 'Geschrieben',
  '{1} may have stored something; {2} lists them for cleaning up':
    '{1}: möglicherweise wurde etwas gespeichert; zum Aufräumen aufgeführt in {2}',
  'values that the scan made up hold {1}': 'vom Scan erfundene Werte enthalten {1}',
  Scanner: 'Scanner',
  Knowledge: 'Wissen',
  'none used': 'keines verwendet',
  'Knowledge gaps': 'Wissenslücken',
  'old or never imported, as {1} says: {2}': 'veraltet oder nie importiert, siehe {1}: {2}',
  Run: 'Lauf',
  '{1} {2} known': '{1} {2} bekannt',
  '{1} asked': '{1} gefragt',
  '{1} answered with success': '{1} mit Erfolg beantwortet',
  '{1} alike to one that was asked': '{1} einer gefragten gleichartig',
  '{1} left out': '{1} ausgelassen',
  asked: 'gefragt',
  'alike to one that was asked': 'einer gefragten gleichartig',
  'left out': 'ausgelassen',
  'insertion point': 'Einfügestelle',
  'insertion points': 'Einfügestellen',
  address: 'Adresse',
  addresses: 'Adressen',
  form: 'Formular',
  forms: 'Formulare',
  operation: 'Operation',
  operations: 'Operationen',
  'page in a browser': 'Seite im Browser',
  'pages in a browser': 'Seiten im Browser',
  'Left out': 'Ausgelassen',
  What: 'Was',
  Why: 'Warum',
  'no reason was given': 'ein Grund wurde nicht angegeben',
  '{1} could not look.': '{1} konnten nicht stattfinden.',
  'The problems below are neither found nor excluded. Where they matter, have them looked at again once the reason is gone.':
    'Die folgenden Probleme sind weder gefunden noch ausgeschlossen. Wo sie wichtig sind, sollten sie erneut geprüft werden, sobald der Grund entfallen ist.',
  'Every check that applies could look.': 'Jede zutreffende Prüfung konnte stattfinden.',
  Area: 'Bereich',
  'Problem looked for': 'Gesuchtes Problem',
  'Why there is no answer': 'Warum es keine Antwort gibt',
  'all {1} checks': 'alle {1} Prüfungen',
  'and {1} more in {2}': 'und {1} weitere in {2}',
  'Not part of this scan': 'Nicht Teil dieses Scans',
  'No check reported.': 'Keine Prüfung hat sich gemeldet.',
  'Checks by area. One in order looked for its problem and did not find it. Each is named in {1}.':
    'Prüfungen nach Bereich. Eine in Ordnung hat ihr Problem gesucht und nicht gefunden. Jede ist genannt in {1}.',
  'One in order looked for its problem and did not find it.':
    'Eine in Ordnung hat ihr Problem gesucht und nicht gefunden.',
  Checks: 'Prüfungen',
  'In order': 'In Ordnung',
  'No answer': 'Ohne Antwort',
  'Not apply': 'Trifft nicht zu',
  'All areas': 'Alle Bereiche',
} as const

const PLAN = {
  'Remediation plan': 'Maßnahmenplan',
  'Nothing has to be changed.': 'Nichts muss geändert werden.',
  'By who changes it as a rule, the most urgent first. One change can fix many places.':
    'Nach denen, die es in der Regel ändern, das Dringendste zuerst. Eine Änderung kann viele Stellen beheben.',
  Application: 'Anwendung',
  'changes of code: hours to days each, with a test that keeps them':
    'Änderungen am Code: jeweils Stunden bis Tage, mit einem Test, der sie sichert',
  'Web server and TLS': 'Webserver und TLS',
  'settings and certificates: minutes to hours each': 'Einstellungen und Zertifikate: jeweils Minuten bis Stunden',
  'Software updates': 'Software-Aktualisierungen',
  'an update and its test: hours to days each': 'eine Aktualisierung mit Test: jeweils Stunden bis Tage',
  'Network and services': 'Netz und Dienste',
  'settings of a firewall or a service: hours each': 'Einstellungen von Firewall oder Dienst: jeweils Stunden',
  'DNS and mail': 'DNS und E-Mail',
  'records and settings: minutes each, and a day until they are everywhere':
    'Einträge und Einstellungen: jeweils Minuten, und ein Tag, bis sie überall gelten',
  'Data protection': 'Datenschutz',
  'settings of the consent dialog and of embedded services: hours each':
    'Einstellungen des Einwilligungsdialogs und eingebetteter Dienste: jeweils Stunden',
  Others: 'Übrige',
  'see the findings': 'siehe Befunde',
  'No.': 'Nr.',
  'no. {1}': 'Nr. {1}',
  Severity: 'Schweregrad',
  Problem: 'Problem',
  Where: 'Wo',
  Status: 'Status',
  '{1} that the owners decided about: marked below.':
    '{1} mit einer Entscheidung der Verantwortlichen: unten gekennzeichnet.',
  '{1} of low severity and {2} for information can wait: the tables at the end have each with its cure.':
    '{1} mit niedrigem Schweregrad und {2} zur Information können warten: Die Tabellen am Ende nennen jeden mit Abhilfe.',
} as const

const FINDINGS = {
  Findings: 'Befunde',
  'Finding {1}': 'Befund {1}',
  'All findings at a glance': 'Alle Befunde auf einen Blick',
  'The checks that could look found no problem.':
    'Die Prüfungen, die stattfinden konnten, haben kein Problem gefunden.',
  '{1} says how many these are, and which could not look.':
    '{1} sagt, wie viele das sind und welche nicht stattfinden konnten.',
  'The first {1} findings are described below; all of them are in findings.json.':
    'Die ersten {1} Befunde sind unten beschrieben; alle stehen in findings.json.',
  '{1} more findings are in findings.json.': '{1} weitere Befunde stehen in findings.json.',
  'All of them are in findings.json.': 'Alle stehen in findings.json.',
  'Named in the remediation plan and in findings.json.': 'Genannt im Maßnahmenplan und in findings.json.',
  'Listed in the overview above.': 'In der Übersicht oben aufgeführt.',
  'What was seen': 'Was gesehen wurde',
  'Why it matters': 'Warum es wichtig ist',
  'How to fix it': 'Abhilfe',
  'See it again': 'Selbst nachsehen',
  Decision: 'Entscheidung',
  Decisive: 'Entscheidend',
  'Known vulnerabilities': 'Bekannte Schwachstellen',
  'check {1}': 'Prüfung {1}',
  'and {1} more': 'und {1} weitere',
  'and {1} more in findings.json': 'und {1} weitere in findings.json',
  'and {1} of the same kind in findings.json': 'und {1} derselben Art in findings.json',
  '{1} more references in findings.json': '{1} weitere Verweise in findings.json',
  '{1} more characters': '{1} weitere Zeichen',
  '{1} characters before': '{1} Zeichen davor',
  '{1} lines before': '{1} Zeilen davor',
  '{1} before': '{1} davor',
  '{1} more lines': '{1} weitere Zeilen',
  '{1} more lines in findings.json': '{1} weitere Zeilen in findings.json',
  '{1} in findings.json': '{1} in findings.json',
  '{1} in findings.json.': '{1} in findings.json.',
  '{1} more rows': '{1} weitere Zeilen',
  '{1} more columns': '{1} weitere Spalten',
  '{1} in general, {2} here: {3}.': 'Allgemein {1}, hier {2}: {3}.',
  'Accepted by {1}': 'Hingenommen von {1}',
  'Called a false positive by {1}': 'Als Fehlalarm eingestuft von {1}',
  'until {1}': 'bis {1}',
  certain: 'sicher',
  'possible, by the version alone': 'möglich, allein nach der Version',
  'chance of attacks within 30 days {1} % (EPSS)': 'Wahrscheinlichkeit von Angriffen binnen 30 Tagen {1} % (EPSS)',
  'known to be attacked since {1}': 'bekanntermaßen angegriffen seit {1}',
  'also for ransom': 'auch zur Erpressung',
  'Gone since the last scan': 'Seit dem letzten Scan behoben',
  'These problems of the last finished scan were looked for again and are no longer there':
    'Diese Probleme des letzten abgeschlossenen Scans wurden erneut gesucht und sind nicht mehr da',
} as const

const ANNEXES = {
  Tables: 'Tabellen',
  'All checks': 'Alle Prüfungen',
  'This scan has no tables.': 'Dieser Scan hat keine Tabellen.',
  'The table is empty.': 'Die Tabelle ist leer.',
  'Every problem that was looked for, by area': 'Jedes gesuchte Problem, nach Bereich',
  'Words used in this report': 'Begriffe in diesem Bericht',
} as const

export const DE = { ...NAMES, ...COVER, ...SUMMARY, ...METHOD, ...PLAN, ...FINDINGS, ...ANNEXES } as const

/** The glossary, in the order of the English one. */
export const TABLE_DE: readonly (readonly [word: string, meaning: string])[] = [
  [
    'Kritisch, hoch, mittel, niedrig',
    'Wie viel Schaden ein Problem anrichten kann und wie leicht, von der Übernahme des ganzen Systems bis zu einer kleinen Hilfe für einen Angreifer. Die Stufen sind die von CVSS: ab 9, ab 7, ab 4, über 0.',
  ],
  ['Hinweis', 'Wissenswert, aber für sich keine Schwäche.'],
  ['Bewiesen', 'Mit dem angegebenen Befehl kann jeder den Beweis wiederholen.'],
  ['Sicher', 'Der Beleg lässt nur eine Deutung zu.'],
  ['Vermutung', 'Ein Anzeichen, das eine Person prüfen sollte.'],
  ['Neu, wiederkehrend', 'Im Vergleich mit dem letzten abgeschlossenen Scan derselben Domain.'],
  ['CVE', 'Nummer einer veröffentlichten Schwachstelle eines bestimmten Produkts.'],
  ['CVSS', 'Common Vulnerability Scoring System: ein Wert von 0 bis 10 mit dem Vektor, aus dem er berechnet ist.'],
  ['CWE', 'Common Weakness Enumeration: Nummer der Art einer Schwachstelle.'],
  [
    'EPSS',
    'Exploit Prediction Scoring System: die Wahrscheinlichkeit, dass eine Schwachstelle binnen 30 Tagen angegriffen wird.',
  ],
  ['KEV', 'Liste bekanntermaßen angegriffener Schwachstellen, geführt von der US-Behörde CISA.'],
  ['OWASP Top 10', 'Die zehn schwersten Risikoklassen von Webanwendungen nach der OWASP-Stiftung.'],
  ['CSP', 'Content Security Policy: sagt dem Browser, welche Skripte und anderen Inhalte eine Seite laden darf.'],
  ['HSTS', 'Strict-Transport-Security: sagt dem Browser, für diese Website nur https zu verwenden.'],
  ['TLS', 'Transport Layer Security: die Verschlüsselung von https.'],
  ['XSS', 'Cross-Site-Scripting: Das Skript eines Angreifers läuft in den Seiten der Website.'],
  ['SQL-Injection', 'Die Eingabe eines Besuchers wird Teil eines Befehls an die Datenbank.'],
  ['WAF', 'Web Application Firewall: ein Filter vor der Website, der bekannte Angriffe blockiert.'],
]
