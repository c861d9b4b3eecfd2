import { describe, expect, it } from 'vitest'
import { readWsdl } from './wsdl.ts'

const HERE = { foundAt: 'http://shop.test/services/stock?wsdl' }
const document = (parts: {
  readonly schema?: string
  readonly messages: string
  readonly style?: string
  readonly soap?: string
  readonly operations?: readonly string[]
  readonly location?: string
}): string => {
  const {
    schema = '',
    messages,
    style = 'document',
    soap = 'soap',
    operations = ['GetStock'],
    location = 'http://inside.local:8080/services/stock',
  } = parts
  const input = operations.map((name) => `<w:operation name="${name}"><w:input message="t:${name}In"/></w:operation>`)
  const bound = operations.map(
    (name) => `<w:operation name="${name}"><s:operation soapAction="urn:${name}"/></w:operation>`,
  )
  return `<?xml version="1.0"?><w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:t="urn:stock"
  xmlns:s="http://schemas.xmlsoap.org/wsdl/${soap}/" targetNamespace="urn:stock">
  <w:types><x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:stock">${schema}</x:schema></w:types>
  ${messages}<w:portType name="P">${input.join('')}</w:portType>
  <w:binding name="B" type="t:P"><s:binding style="${style}" transport="http://schemas.xmlsoap.org/soap/http"/>${bound.join('')}</w:binding>
  <w:service name="Stock"><w:port name="one" binding="t:B"><s:address location="${location}"/></w:port></w:service></w:definitions>`
}

const WRAPPED = document({
  schema:
    '<x:element name="GetStock"><x:complexType><x:sequence><x:element name="item" type="x:string"/><x:element name="count" type="x:int"/></x:sequence></x:complexType></x:element>',
  messages: '<w:message name="GetStockIn"><w:part name="parameters" element="t:GetStock"/></w:message>',
})

describe('WSDL', () => {
  it('wrapped document style: elements of the schema, over the address by which it was reached', () => {
    const read = readWsdl(WRAPPED, HERE)
    expect(read).toMatchObject({ kind: 'WSDL 1.1', title: 'Stock' })
    expect(read?.operations).toHaveLength(1)
    const [operation] = read?.operations ?? []
    expect(operation).toMatchObject({
      ...{ method: 'POST', path: '/services/stock', name: 'GetStock', label: 'Get Stock' },
      parameters: [{ in: 'header', name: 'SOAPAction', value: '"urn:GetStock"' }],
      body: { type: 'text/xml; charset=utf-8' },
    })
    expect(operation?.body?.text).toContain(
      '<soap:Body><GetStock xmlns="urn:stock"><item>test</item><count>1</count></GetStock></soap:Body>',
    )
  })

  it('RPC style wraps the parts in the name of the operation', () => {
    const rpc = document({
      style: 'rpc',
      messages:
        '<w:message name="GetStockIn"><w:part name="item" type="x:string"/><w:part name="when" type="x:date"/></w:message>',
    })
    expect(readWsdl(rpc, HERE)?.operations[0]?.body?.text).toContain(
      '<m:GetStock xmlns:m="urn:stock"><item>test</item><when>2024-01-01</when></m:GetStock>',
    )
  })

  it('SOAP 1.2 names the action in the media type', () => {
    const twelve = document({ soap: 'soap12', messages: '<w:message name="GetStockIn"/>' })
    expect(readWsdl(twelve, HERE).operations[0]?.body?.type).toBe(
      'application/soap+xml; charset=utf-8; action="urn:GetStock"',
    )
  })

  it('types that are named, extended, chosen and listed', () => {
    const typed = document({
      schema:
        '<x:element name="GetStock" type="t:Ask"/><x:complexType name="Ask"><x:complexContent><x:extension base="t:Any"><x:choice><x:element name="kind" type="t:Kind"/><x:element name="other" type="x:string"/></x:choice></x:extension></x:complexContent></x:complexType><x:simpleType name="Kind"><x:restriction base="x:string"><x:enumeration value="a&amp;b"/></x:restriction></x:simpleType>',
      messages: '<w:message name="GetStockIn"><w:part name="p" element="t:GetStock"/></w:message>',
    })
    expect(readWsdl(typed, HERE)?.operations[0]?.body?.text).toContain('<kind>a&amp;b</kind></GetStock>')
  })

  it('types without names, in one another', () => {
    const nested = (depth: number): string =>
      depth === 0
        ? '<x:element name="leaf" type="x:int"/>'
        : `<x:element name="n${depth}"><x:complexType><x:sequence>${nested(depth - 1)}</x:sequence></x:complexType></x:element>`
    const deep = document({
      schema: `<x:element name="GetStock"><x:complexType><x:all>${nested(4)}</x:all></x:complexType></x:element>`,
      messages: '<w:message name="GetStockIn"><w:part name="p" element="t:GetStock"/></w:message>',
    })
    expect(readWsdl(deep, HERE).operations[0]?.body?.text).toContain('<n1><leaf>1</leaf></n1>')
  })

  it('a type that holds itself ends', () => {
    const endless = document({
      schema:
        '<x:element name="GetStock" type="t:Node"/><x:complexType name="Node"><x:sequence><x:element name="a" type="t:Node"/><x:element name="b" type="t:Node"/></x:sequence></x:complexType>',
      messages: '<w:message name="GetStockIn"><w:part name="p" element="t:GetStock"/></w:message>',
    })
    expect(readWsdl(endless, HERE).operations[0]?.body?.text.length).toBeLessThan(3_000)
  })

  it.each([
    ['another vocabulary', '<definitions xmlns="http://example.org/"/>'],
    ['cut off', WRAPPED.slice(0, 700)],
    ['a page that mentions one', '<p>&lt;definitions&gt;</p>'],
  ])('is none: %s', (_name, text) => expect(() => readWsdl(text, HERE)).toThrow(/no valid WSDL/))

  it('says what of it cannot be asked', () => {
    const other = document({ messages: '' })
    expect(readWsdl(other, HERE)).toMatchObject({
      operations: [],
      described: 1,
      refused: [{ where: 'GetStock', reason: 'its message is not among the document' }],
    })
    expect(readWsdl(WRAPPED.replace('wsdl/soap/', 'wsdl/http/'), HERE).refused).toMatchObject([
      { where: 'port one', reason: 'it is not spoken over SOAP 1.1 or 1.2' },
    ])
  })
})
