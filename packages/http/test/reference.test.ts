import { readFileSync } from "node:fs"
import SwaggerParser from "@apidevtools/swagger-parser"
import { assert, describe, it } from "@effect/vitest"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { openApiDocument } from "../src/reference/index.ts"

/** Tests the OpenAPI document, for readers and code generators. */

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }
type Node = { readonly [key: string]: Json }

const document = openApiDocument() as Node
const schemas = (document.components as { readonly schemas: { readonly [name: string]: Node } }).schemas

const isNode = (value: Json | undefined): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns all objects of the document with their paths, except those in examples and links. */
const nodesWithPath = (value: Json, path = ""): ReadonlyArray<readonly [place: string, node: Node]> => {
  if (Array.isArray(value)) return value.flatMap((each, i) => nodesWithPath(each, `${path}/${i}`))
  if (!isNode(value)) return []
  const nodesBelow = Object.entries(value).flatMap(([key, each]) =>
    key === "example" || key === "examples" || key === "links" ? [] : nodesWithPath(each, `${path}/${key}`)
  )
  return [[path, value], ...nodesBelow]
}

const allNodes = nodesWithPath(document)

const isDescribed = (node: Node): boolean => {
  if (typeof node.description === "string" && node.description !== "") return true
  const name = typeof node.$ref === "string" ? node.$ref.split("/").at(-1)! : ""
  return schemas[name] !== undefined && isDescribed(schemas[name])
}

const operations = Object.entries(document.paths as { readonly [path: string]: { readonly [method: string]: Node } })
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
  .map((each) => ({ ...each, name: `${each.method} ${each.path}` }))

describe("the OpenAPI document", () => {
  it("states the version of the package", () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
    assert.include(document.info, { version })
  })

  it("describes every property, parameter, header, response, schema, tag and operation", () => {
    const undescribedPaths = allNodes.flatMap(([nodePath, node]) => {
      const missingProperties = isNode(node.properties)
        ? Object.entries(node.properties).flatMap(([name, property]) =>
            isDescribed(property as Node) ? [] : [`${nodePath}/properties/${name}`]
          )
        : []
      const needsDescription =
        /\/(?:parameters|tags|servers)\/\d+$|\/responses\/[^/]+$|\/(?:headers|schemas|securitySchemes)\/[^/]+$/u.test(
          nodePath
        )
      return [...missingProperties, ...(needsDescription && !("$ref" in node) && !isDescribed(node) ? [nodePath] : [])]
    })
    assert.deepStrictEqual(undescribedPaths, [])
    for (const { name, operation } of operations) {
      assert.isString(operation.summary, name)
      assert.isString(operation.description, name)
    }
  })

  it("names every schema once, without suffixes of its generation", () => {
    assert.deepStrictEqual(
      Object.keys(schemas).filter((name) => /_\d+$|Encoded$/u.test(name)),
      []
    )
    assert.notInclude(JSON.stringify(document), "x-shown-as")
  })

  it("distinguishes alternatives by a discriminator", () => {
    const unions = allNodes.filter(([, node]) => "oneOf" in node)
    assert.isAbove(unions.length, 20)
    for (const [nodePath, { discriminator }] of unions) assert.isTrue(isNode(discriminator), nodePath)
    const signData = schemas.SignData!.discriminator as { readonly propertyName: string; readonly mapping: Node }
    assert.strictEqual(signData.propertyName, "method")
    assert.sameMembers(Object.keys(signData.mapping), [
      "personal_sign",
      "eth_signTypedData_v4",
      "eip7702_authorization",
      "sign_psbt"
    ])
    assert.strictEqual((schemas.AnySwapQuote!.discriminator as Node).propertyName, "type")
  })

  it("rejects unknown fields in request schemas and allows them in response schemas", () => {
    const requestSchemas = new Set(
      [
        ...JSON.stringify(operations.map(({ operation }) => operation.requestBody ?? null)).matchAll(/schemas\/(\w+)/gu)
      ].map(([, name]) => name!)
    )
    for (const name of requestSchemas) assert.strictEqual(schemas[name]!.additionalProperties, false, name)
    const responseTexts = operations.flatMap(({ operation }) => JSON.stringify(operation.responses))
    assert.notInclude(responseTexts.join(), '"additionalProperties":false')
    for (const name of ["SwapQuote", "Wallet", "Transaction", "TransactionEvent", "Error_BAD_REQUEST"]) {
      assert.notInclude(JSON.stringify(schemas[name]), '"additionalProperties":false')
    }
  })

  it("describes the response headers, and Idempotency-Key for each POST", () => {
    for (const { method, name, operation } of operations) {
      const parameters = (operation.parameters as ReadonlyArray<Node>).map((parameter) => parameter.name)
      assert.strictEqual(parameters.includes("Idempotency-Key"), method === "post", name)
      for (const [status, response] of Object.entries(operation.responses as { readonly [status: string]: Node })) {
        const headers = Object.keys(response.headers as Node)
        assert.include(headers, "x-request-id", name)
        assert.strictEqual(headers.includes("retry-after"), ["429", "503"].includes(status), `${name} ${status}`)
      }
    }
    assert.match(
      JSON.stringify((document.paths as Node)["/api/v1/wallets/{walletAddress}/history"]),
      /headers\/deprecation/u
    )
  })

  it("contains an example for each operation with a body", () => {
    for (const { name, operation } of operations) {
      const requiredParameters = (operation.parameters as ReadonlyArray<Node>).filter(
        (parameter) => parameter.required === true
      )
      for (const parameter of requiredParameters) assert.isDefined(parameter.examples, `${name} ${parameter.name}`)
      if (!isNode(operation.requestBody)) continue
      const [body] = Object.values(operation.requestBody.content as { readonly [type: string]: Node })
      assert.isDefined(body!.examples, name)
    }
  })

  it("is valid OpenAPI 3.1", async () => {
    const copy = JSON.parse(JSON.stringify(document))
    await SwaggerParser.validate(copy)
  })

  it("complies with Redocly's recommended rules", async () => {
    const config = await createConfig({ extends: ["recommended"] })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    assert.deepStrictEqual(
      problems.map(({ location, message, ruleId }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
      []
    )
  })
})
