/** What a report is to hold, and in which language. Nothing is sent of what was left empty. */
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { OwnTexts, ReportSection } from '../../../src/contract/report.ts'
import type { RunState } from '../../../src/contract/run.ts'
import { client } from '../client.ts'
import { REPORT_WORDS } from '../i18n/rooms.ts'
import { type Language, useRoom } from '../i18n/text.tsx'
import { runQuery } from '../queries.ts'
import { useSentForm } from '../use-sent-form.tsx'
import { Dialog } from './dialog.tsx'
import { FormEnd } from './form-end.tsx'

const SECTIONS = ['method', 'findings', 'tables', 'checks'] as const satisfies readonly ReportSection[]
type Line = Record<'version' | 'date' | 'author' | 'changes', string>
interface Values extends Record<string, unknown> {
  readonly language: Language
  readonly section: Readonly<Record<ReportSection, boolean>>
  readonly texts: Readonly<Record<'introduction' | 'scope' | 'authoriser' | 'tester', string>> & {
    readonly history: readonly Line[]
  }
  readonly colours: Readonly<Record<'accent' | 'dark', string>>
}

const ReportDialog = ({ run, close }: { readonly run: RunState; readonly close: () => void }) => {
  const { t, language } = useRoom(REPORT_WORDS)
  const queries = useQueryClient()
  const { form, sending, submit } = useSentForm({
    initialValues: {
      language,
      section: { method: true, findings: true, tables: false, checks: false },
      texts: { introduction: '', scope: '', authoriser: '', tester: '', history: [] },
      colours: { accent: '', dark: '' },
    } as Values,
    send: (values) => client.makeReport({ params: { id: run.id }, body: bodyOf(values) }),
    sent: (made) => {
      queries.setQueryData(runQuery(run.id).queryKey, { ...run, report: made })
      close()
    },
  })
  const field = (path: string) => ({ key: form.key(path), ...form.getInputProps(path) })
  const history = form.getValues().texts.history
  return (
    <Dialog title={t('makeReportAgain')} close={close}>
      <form className="stack" onSubmit={submit}>
        <p className="quiet">{t('reportDialogText')}</p>
        <NativeSelect
          {...field('language')}
          label={t('reportLanguage')}
          data={[
            { value: 'en', label: 'English' },
            { value: 'de', label: 'Deutsch' },
          ]}
        />
        <fieldset className="stack tight">
          <legend>{t('reportParts')}</legend>
          {SECTIONS.map((one) => (
            <Checkbox
              key={form.key(`section.${one}`)}
              {...form.getInputProps(`section.${one}`, { type: 'checkbox' })}
              label={t(`section_${one}`)}
            />
          ))}
        </fieldset>
        <details className="more">
          <summary>{t('reportOwnWords')}</summary>
          <div className="stack">
            <Textarea {...field('texts.introduction')} label={t('reportIntroduction')} autosize minRows={2} />
            <Textarea
              {...field('texts.scope')}
              label={t('reportScope')}
              description={t('reportScopeHint')}
              autosize
              minRows={2}
            />
            <div className="pair">
              <TextInput {...field('texts.authoriser')} label={t('reportAuthoriser')} />
              <TextInput {...field('texts.tester')} label={t('reportTester')} />
            </div>
            <fieldset className="stack tight">
              <legend>{t('reportHistory')}</legend>
              {history.map((_, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
                <div key={n} className="stack tight">
                  <div className="pair">
                    <TextInput {...field(`texts.history.${n}.version`)} label={t('historyVersion')} />
                    <TextInput {...field(`texts.history.${n}.date`)} type="date" label={t('historyDate')} />
                  </div>
                  <TextInput {...field(`texts.history.${n}.author`)} label={t('historyAuthor')} />
                  <TextInput {...field(`texts.history.${n}.changes`)} label={t('historyChanges')} />
                  <div>
                    <Button size="compact-sm" variant="subtle" onClick={() => form.removeListItem('texts.history', n)}>
                      {t('removeVersion', { n: n + 1 })}
                    </Button>
                  </div>
                </div>
              ))}
              <div>
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() =>
                    form.insertListItem('texts.history', { version: '', date: today(), author: '', changes: '' })
                  }
                >
                  {t('reportAddVersion')}
                </Button>
              </div>
            </fieldset>
          </div>
        </details>
        <details className="more">
          <summary>{t('reportColours')}</summary>
          <div className="stack tight">
            <p className="small quiet">{t('reportColourHint')}</p>
            <div className="pair">
              <TextInput {...field('colours.accent')} label={t('reportAccent')} placeholder="#1b7a78" />
              <TextInput {...field('colours.dark')} label={t('reportDark')} placeholder="#14253d" />
            </div>
          </div>
        </details>
        <FormEnd sending={sending} label={t('makeReport')} close={close} />
      </form>
    </Dialog>
  )
}

/** The reader's own day. */
const today = (): string => {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

const bodyOf = ({ language, section, texts, colours }: Values) => {
  const { history, ...said } = texts
  const own: OwnTexts = {
    ...filled(said),
    ...(history.length === 0
      ? {}
      : {
          history: history.map(({ author, ...line }) => ({ ...line, ...(author.trim() === '' ? {} : { author }) })),
        }),
  }
  const given = filled(colours)
  return {
    ...{ language, sections: SECTIONS.filter((one) => section[one]), texts: own },
    ...(Object.keys(given).length === 0 ? {} : { colours: given }),
  }
}

const filled = <Name extends string>(texts: Readonly<Record<Name, string>>): { readonly [N in Name]?: string } =>
  Object.fromEntries(Object.entries<string>(texts).filter(([, text]) => text.trim() !== '')) as {
    readonly [N in Name]?: string
  }

export default ReportDialog
