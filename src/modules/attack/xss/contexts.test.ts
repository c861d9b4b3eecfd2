import { describe, expect, it } from 'vitest'
import { contextsOf, reflectionsOf } from './contexts.ts'
import { runsIn } from './probes/running.ts'

describe('contexts', () => {
  it.each([
    ['text', '<p>qx1</p>', 'text', 'p', null, ''],
    ['title', '<title>qx1</title>', 'raw-text', 'title', null, ''],
    ['textarea', '<textarea>qx1</textarea>', 'raw-text', 'textarea', null, ''],
    ['style', '<style>a{color:qx1}</style>', 'raw-text', 'style', null, ''],
    ['comment', '<!-- qx1 -->', 'comment', '', null, ''],
    ['attribute in double quotes', '<p title="a qx1">', 'attribute', 'p', 'title', '"'],
    ['attribute in single quotes', "<p title='qx1'>", 'attribute', 'p', 'title', "'"],
    ['attribute without quotes', '<p title=qx1>', 'attribute', 'p', 'title', ''],
    ['whole address', '<a href="qx1">', 'url', 'a', 'href', '"'],
    ['part of an address', '<a href="/x?q=qx1">', 'attribute', 'a', 'href', '"'],
    ['handler', `<p onclick="f('qx1')">`, 'handler', 'p', 'onclick', "'"],
    ['script, double quotes', '<script>a="qx1"</script>', 'script', 'script', null, '"'],
    ['script, behind an escaped quote', `<script>a='\\'qx1'</script>`, 'script', 'script', null, "'"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a script, not of this test
    ['script, template', '<script>a=`x${1}qx1`</script>', 'script', 'script', null, '`'],
    ['script, code', '<script>a=qx1</script>', 'script', 'script', null, ''],
    ['script, comment', '<script>/* "qx1 */</script>', 'script', 'script', null, '/*'],
    ['name of an element', '<p><qx1 a=b></p>', 'tag-name', 'qx1', null, ''],
    ['name of an attribute', '<p qx1 a=b></p>', 'attribute-name', 'p', null, ''],
    ['name behind a quoted value', '<p a="b"qx1=c></p>', 'attribute-name', 'p', null, ''],
    ['value that is written twice', '<p title=a title="qx1">', 'attribute', 'p', 'title', '"'],
    ['upper case', '<P TITLE="QX1">', 'attribute', 'p', 'title', '"'],
    ['end tag', '<p></p qx1>', 'end-tag', 'p', null, ''],
    ['comment that a bracket ends', '<!qx1>', 'comment', '!', null, ''],
    ['beginning of a comment', '<!--qx1-->', 'comment', '!', null, ''],
    ['template', '<template><b>qx1</b></template>', 'raw-text', 'template', null, ''],
    ['option of a list', '<select><option>qx1</select>', 'raw-text', 'select', null, ''],
    ['data in a script', '<script type="application/ld+json">{"a":"qx1"}</script>', 'raw-text', 'script', null, ''],
    ['text that frames leave no room for', '<frameset>qx1<frame></frameset>', 'dropped', '', null, ''],
    ['behind a scheme', `<a href="javascript:f('qx1')">`, 'script-url', 'a', 'href', "'"],
    ['script, regular expression', '<script>a=/[/"]qx1/</script>', 'script', 'script', null, '/'],
    ['script, behind a division', '<script>a=b/2;c="qx1"</script>', 'script', 'script', null, '"'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a script, not of this test
    ['script, expression of a template', '<script>a=`${qx1}`</script>', 'script', 'script', null, ''],
    ['script, line comment', "<script>// it's qx1\n</script>", 'script', 'script', null, '//'],
  ])('%s', (_name, html, kind, tag, attribute, quote) =>
    expect(contextsOf(html, 'qx1')).toMatchObject([{ kind, tag, attribute, quote }]),
  )

  it('lists every one of a page', () =>
    expect(contextsOf('<title>qx1</title><p>qx1</p><p>qx1</p>', 'qx1').map((one) => one.kind)).toEqual([
      'raw-text',
      'text',
    ]))

  it('of a frame are those of its document', () =>
    expect(contextsOf('<iframe srcdoc="&lt;p title=&#39;qx1&#39;&gt;"></iframe>', 'qx1')).toMatchObject([
      { kind: 'srcdoc', quote: '"', inner: { kind: 'attribute', tag: 'p', quote: "'" } },
    ]))

  it('are told for each place, in the order of the text', () =>
    expect(
      reflectionsOf('<p title="qx1">qx1<!-- qx1 --></p>', 'qx1').map(({ at, context }) => [at, context.kind]),
    ).toEqual([
      [10, 'attribute'],
      [15, 'text'],
      [23, 'comment'],
    ]))
})

describe('where browsers run a call', () => {
  it.each([
    ['handler', '<svg onload=c(1)>', true],
    ['script', '<script>c(1)</script>', true],
    ['address', '<a href="javascript:c(1)">', true],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a script, not of this test
    ['template expression', '<script>`${c(1)}`</script>', true],
    ['address with a tab', '<a href="java\tscript:c(1)">', true],
    ['entities', '<p onclick="&#99;&#40;1&#41;">', true],
    ['document of a frame', '<iframe srcdoc="&lt;svg onload=c(1)&gt;">', true],
    ['address of a script', '<script src=data:,c(1)></script>', true],
    ['text', '&lt;svg onload=c(1)&gt;', false],
    ['attribute', '<p title="<svg onload=c(1)>">', false],
    ['textarea', '<textarea><svg onload=c(1)></textarea>', false],
    ['text in a script', '<script>a="c(1)"</script>', false],
    ['comment', '<!-- <svg onload=c(1)> -->', false],
    ['link to somewhere', '<a href="/javascript:c(1)">', false],
  ])('%s', (_name, html, expected) => expect(runsIn(html, 'c(1)')).toBe(expected))
})
