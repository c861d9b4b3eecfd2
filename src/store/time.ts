export const iso = (date: Date): string => date.toISOString()
export const isoOrNull = (date: Date | null): string | null => date?.toISOString() ?? null
