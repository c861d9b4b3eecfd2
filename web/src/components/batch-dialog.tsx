/** Starting a batch: names pasted, or a file of them. */
import { Button, Checkbox, FileButton, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../../src/contract/client-core.ts'
import { CsvError } from '../../../src/contract/csv.ts'
import { namesIn } from '../../../src/contract/domain-table.ts'
import { isOffered, type RunSwitches, runSwitches, SWITCH_DEFAULTS } from '../../../src/contract/run-switches.ts'
import { client } from '../client.ts'
import { number } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { Dialog } from './dialog.tsx'
import { FailureLine } from './failure.tsx'
import { FormEnd } from './form-end.tsx'

/** Bad names that are shown; the service names more. */
const MOST_SHOWN = 20
const OFFERED = runSwitches.filter(([name]) => isOffered(name, { ...SWITCH_DEFAULTS, active: false }))

interface File {
  readonly name: string
  readonly text: string
}

const BatchDialog = ({ close }: { readonly close: () => void }) => {
  const { t, language } = useText()
  const queries = useQueryClient()
  const [pasted, setPasted] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [switches, setSwitches] = useState<RunSwitches>({ ...SWITCH_DEFAULTS, survey: true })
  // A second press of the button is the same start.
  const pressed = useRef(crypto.randomUUID())
  const { names, fault } = read(file?.text ?? pasted)
  const start = useMutation({
    mutationFn: () => startBatch(names, switches, pressed.current),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['batches'] })
      close()
    },
  })
  const changed = (): void => {
    pressed.current = crypto.randomUUID()
  }
  return (
    <Dialog title={t('startBatch')} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          start.mutate()
        }}
      >
        <Textarea
          label={t('batchNames')}
          description={t('batchNamesHint')}
          value={file === null ? pasted : file.name}
          disabled={file !== null}
          rows={6}
          onChange={(event) => {
            setPasted(event.currentTarget.value)
            changed()
          }}
        />
        <div className="row">
          <FileButton
            accept=".csv,.txt,text/csv,text/plain"
            onChange={async (chosen) => {
              if (chosen !== null) setFile({ name: chosen.name, text: await chosen.text() })
              changed()
            }}
          >
            {(props) => (
              <Button variant="default" {...props}>
                {t('batchFile')}
              </Button>
            )}
          </FileButton>
          {file === null ? null : (
            <Button variant="subtle" onClick={() => setFile(null)}>
              {t('remove')}
            </Button>
          )}
          <span className="small quiet" role="status">
            {t('batchCount', { n: names.length, count: number(names.length, language) })}
          </span>
        </div>
        <div className="stack tight options">
          {OFFERED.map(([name]) => (
            <Checkbox
              key={name}
              label={t(`option_${name}`)}
              description={t(`option_${name}_hint`)}
              checked={switches[name] && isOffered(name, { ...switches, active: false })}
              disabled={!isOffered(name, { ...switches, active: false })}
              onChange={(event) => {
                setSwitches({ ...switches, [name]: event.currentTarget.checked })
                changed()
              }}
            />
          ))}
        </div>
        <FailureLine error={fault} />
        <FormEnd sending={start} label={t('startBatch')} close={close} />
      </form>
    </Dialog>
  )
}

const read = (text: string): { readonly names: readonly string[]; readonly fault: Error | null } => {
  try {
    return { names: namesIn(text), fault: null }
  } catch (fault) {
    if (!(fault instanceof CsvError)) throw fault
    return { names: [], fault }
  }
}

/** Bad names are told by themselves in place of their numbers. */
const startBatch = async (names: readonly string[], switches: RunSwitches, key: string) => {
  const on = Object.fromEntries(OFFERED.map(([name]) => [name, switches[name]]))
  try {
    return await client.createBatch({
      body: { domains: [...names], options: on },
      headers: { 'Idempotency-Key': key },
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.problem.errors === undefined) throw error
    const errors = error.problem.errors.slice(0, MOST_SHOWN).map(({ path, message }) => ({
      path: names[Number(/^domains\.(\d+)/.exec(path)?.[1])] ?? path,
      message,
    }))
    throw new ApiError({ ...error.problem, errors }, error.retryAfter)
  }
}

export default BatchDialog
