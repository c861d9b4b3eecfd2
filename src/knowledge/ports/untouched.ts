/**
 * Ports that are only connected to and never written to: printers print whatever arrives (9100 to 9107), and
 * controllers of machines (ISO transport 102, Modbus 502, BACnet 47808) must not be given bytes to misread.
 */
const UNTOUCHED: ReadonlySet<number> = new Set([102, 502, 47808, 9100, 9101, 9102, 9103, 9104, 9105, 9106, 9107])

export const isUntouched = (port: number): boolean => UNTOUCHED.has(port)
