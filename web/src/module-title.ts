/** Readers know modules by their titles; ids are for programs. */
import { MODULES } from './i18n/en/modules.ts'
import { MODULE_WORDS } from './i18n/module-words.ts'
import { useRoom } from './i18n/text.tsx'

type ModuleKey = keyof typeof MODULES

/** As it is for a module of another version. */
export const useModuleTitle = (): ((id: string) => string) => {
  const { t } = useRoom(MODULE_WORDS)
  return (id) => {
    const key = `module_${id}`
    return isKnown(key) ? t(key) : id
  }
}

const isKnown = (key: string): key is ModuleKey => Object.hasOwn(MODULES, key)
