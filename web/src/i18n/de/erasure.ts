/** Daten, die endgültig gelöscht sind, und woher Scans kommen. */
export const ERASURE = {
  scanAddresses: 'Woher Scans kommen',
  scanAddressesText:
    'Für die Freigabe in einer Firewall. Jede Anfrage eines Scans trägt die signierte Kopfzeile {header}; ob eine von uns war, wird unter {verify} beantwortet.',
  scanAddressesNone: 'Der Betreiber hat keine Adressen genannt (SONDE_SCAN_ADDRESSES).',
  eraseTitle: 'Daten endgültig löschen',
  eraseText:
    'Löscht eine Domain mit allen Läufen, Befunden, Entscheidungen, Berichten und Nachweisen, auch eine, die schon entfernt wurde. Zeilen verschwinden sofort, Dateien bald danach; dann gibt es eine signierte Quittung. Sicherungen sind Dateien des Betreibers und bleiben, wie sie sind.',
  erase: 'Domain löschen',
  eraseQuestion: 'Alle Daten einer Domain löschen?',
  eraseName: 'Domain',
  eraseAgain: 'Der Name noch einmal',
  erased: 'Gelöscht',
  erasedLine:
    '{name}: {runs, plural, one {# Lauf} other {# Läufe}}, {files, plural, one {# Datei} other {# Dateien}}, verlangt von {who}',
  erasedWhole: 'die ganze Organisation',
  receipt: 'Quittung',
  receiptLater: 'Dateien werden gelöscht',
}
