import { assert, describe, it } from "@effect/vitest"
import { unknownSettings } from "./index.ts"

const problemsOf = (...environment: ReadonlyArray<string>) =>
  unknownSettings(environment).map(({ expected, name }) => `${name} is not ${expected}`)

describe("unknownSettings", () => {
  it.each([
    ["DATABSE_URL", "DATABASE_URL"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["SECRET_KEY", "SECRETS_KEY"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["PAYMASTER_ADDRES_0_7", "PAYMASTER_ADDRESS_0_7"],
    ["CORS_ORIGIN", "CORS_ORIGINS"],
    ["OLTP_URL", "OTLP_URL"]
  ])("suggest for %s that %s was meant", (name, meant) => {
    assert.deepStrictEqual(problemsOf(name), [`${name} is not a setting (did you mean ${meant}?)`])
  })

  it("list the existing chains", () => {
    const [sentence, ...others] = problemsOf("RPC_URL_5", "RPC_URL_1")
    assert.match(
      sentence!,
      /^RPC_URL_5 is not a setting, because the chain is not supported\. Supported chains: 42161 \(Arbitrum One\),/u
    )
    assert.deepStrictEqual(others, [])
  })

  it("have a prefix of the service's settings", () => {
    assert.deepStrictEqual(problemsOf("PAYMASTER_COLOUR", "RETENTION_OF_WATER"), [
      "PAYMASTER_COLOUR is not a setting",
      "RETENTION_OF_WATER is not a setting"
    ])
  })

  it("do not include settings of other programs", () => {
    const otherVariables = ["PATH", "HOME", "HOSTNAME", "POST", "HTTP_URL", "PGHOST", "NODE_OPTIONS", "npm_config_port"]
    assert.deepStrictEqual(problemsOf(...otherVariables), [])
    // If the setting itself is set, a similar name belongs to another program.
    assert.deepStrictEqual(problemsOf("SECRETS_KEY", "SECRET_KEY"), [])
    const kubernetes = [
      "WEBHOOK_SERVICE_HOST",
      "OPERATOR_PORT",
      "OPERATOR_PORT_80_TCP_ADDR",
      "COUNTERSIGN_SERVICE_PORT"
    ]
    assert.deepStrictEqual(problemsOf(...kubernetes), [])
  })

  it("do not include settings that exist for each chain", () => {
    assert.deepStrictEqual(problemsOf("RPC_URL_8453", "BUNDLER_URL_10", "PAYMASTER_URL_196"), [])
  })
})
