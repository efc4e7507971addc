import { generateKeyPairSync } from "node:crypto"
import { join } from "node:path"
import { assert, describe, expect, it } from "@effect/vitest"
import { PER_CHAIN, type Setting, settings } from "../settings/index.ts"
import { replaceSettingNames, settingTexts } from "./settingTexts.ts"

interface Leaf {
  readonly setting: Setting
}
interface Branch extends Map<string, Leaf | Branch> {}

const tree = (entries: ReadonlyArray<readonly [ReadonlyArray<string>, Leaf]>): Branch => {
  const root: Branch = new Map()
  for (const [path, leaf] of entries) {
    let branch = root
    for (const name of path.slice(0, -1)) {
      if (!branch.has(name)) branch.set(name, new Map())
      branch = branch.get(name) as Branch
    }
    branch.set(path.at(-1)!, leaf)
  }
  return root
}

const requiredOptions = new Set(["rpcUrl"])

const wrapText = (text: string, indent: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last === undefined || indent.length + 3 + last.length + 1 + word.length > 118) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

const docOf = ({ default: usual, description, unit }: Setting, indent: string): string => {
  const figure = usual === null ? "" : ` Default: ${[usual, unit].filter((part) => part !== null).join(" ")}.`
  const text = replaceSettingNames(`${description}${figure}`)
  const lines = wrapText(text, indent)
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */`
    : [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`].join("\n")
}

const fieldsOf = (branch: Branch, indent: string): string =>
  [...branch]
    .map(([name, node]) => {
      const key = /^[a-z]\w*$/iu.test(name) ? name : JSON.stringify(name)
      if (node instanceof Map) return `${indent}readonly ${key}?: {\n${fieldsOf(node, `${indent}  `)}\n${indent}}`
      const { setting } = node
      const mark = requiredOptions.has(name) ? "" : "?"
      return `${docOf(setting, indent)}\n${indent}readonly ${key}${mark}: ${setting.form.optionType}`
    })
    .join("\n")

const options = Object.values<Setting>(settings).flatMap((setting) =>
  setting.option === null ? [] : [[setting.option.split("/"), { setting }] as const]
)
const ofChains = options.filter(([path]) => path.includes(PER_CHAIN))
const globalOptions = options.filter(([path]) => !path.includes(PER_CHAIN))

const source = `/** The options that are also settings of a server. \`settingTexts.test.ts\` generates this file (\`vitest -u\`). */

export interface NftCollectionOption {
  readonly chainId: number
  readonly address: string
  /** The token ids of an ERC-1155 contract. An ERC-721 contract enumerates its own. */
  readonly ids?: ReadonlyArray<string>
}

export interface ChainOptions {
${fieldsOf(tree(ofChains.map(([path, leaf]) => [path.slice(2), leaf])), "  ")}
}

export interface SettingOptions {
  /** The chains that are served, by their ids: 1, 10, 56, 100, 137, 196, 8453, 42161, 43114. At least one. */
  readonly chains: Readonly<Record<number, ChainOptions>>
${fieldsOf(tree(globalOptions), "  ")}
}
`

describe("the options of the library", () => {
  it("are generated from the table of settings", async () => {
    await expect(source).toMatchFileSnapshot(join(import.meta.dirname, "SettingOptions.ts"))
  })

  it("have the same meaning as their environment variables", () => {
    const key = Buffer.alloc(32, 7).toString("base64")
    const samples = [
      "http://127.0.0.1:1",
      "postgres://127.0.0.1/name",
      `0x${"1".repeat(64)}`,
      `0x${"1".repeat(40)}`,
      "0xbeef",
      "smtp://127.0.0.1:25",
      "a@example.com",
      `1:0x${"1".repeat(40)}:7:8`,
      "PIX=1/2/3/4",
      "1,3:0.1",
      key,
      generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "pem", type: "spki" }).toString(),
      "kyberswap,lifi",
      "defillama,coingecko",
      "1"
    ]
    const optionFromText = (optionType: string, text: string): unknown => {
      if (optionType === "number") return Number(text)
      if (optionType === "boolean") return text === "true"
      if (optionType.includes("NftCollection")) {
        const [chainId, address, ...ids] = text.split(":")
        return [{ chainId: Number(chainId), address, ids }]
      }
      return optionType.startsWith("ReadonlyArray") || optionType.startsWith("string |") ? text.split(",") : text
    }
    let count = 0
    for (const [variable, { default: usual, form, option }] of Object.entries<Setting>(settings)) {
      if (option === null) continue
      const text = usual ?? samples.find((sample) => form.parse(sample) !== undefined)
      assert.isDefined(text, variable)
      const path = option.replace(PER_CHAIN, "10").split("/")
      const options = path.reduceRight<unknown>(
        (inner, name) => ({ [name]: inner }),
        optionFromText(form.optionType, text!)
      )
      const name = variable.replace(PER_CHAIN, "10")
      assert.deepStrictEqual(settingTexts(options as object, []), { environment: { [name]: text }, problems: [] })
      count++
    }
    assert.isAbove(count, 70)
  })

  it("are the settings of a server, except for those that only a server or a command reads", () => {
    const without = Object.entries<Setting>(settings).flatMap(([name, { option }]) => (option === null ? [name] : []))
    assert.deepStrictEqual(without, [
      "COUNTERSIGN_HOME",
      "DATABASE_URL",
      "BACKUP_TARGET",
      "BACKUP_RECIPIENT",
      "BACKUP_IDENTITY",
      "BACKUP_S3_REGION",
      "BACKUP_S3_ACCESS_KEY_ID",
      "BACKUP_S3_SECRET_ACCESS_KEY",
      "PORT",
      "HOST",
      "CORS_ORIGINS",
      "APP_PAGE",
      "ADMIN_CONSOLE",
      "MAX_BODY_BYTES",
      "REQUEST_TIMEOUT_MS",
      "KEEP_ALIVE_TIMEOUT_MS",
      "PARALLEL_REQUESTS_MAX",
      "CONNECTIONS_MAX",
      "METRICS_TOKEN",
      "PAYMASTER_OWNER_PRIVATE_KEY",
      "PAYMASTER_TREASURY_PRIVATE_KEY",
      "RATE_LIMIT_REQUESTS",
      "RATE_LIMIT_WINDOW_SECONDS",
      "COMPUTE_UNITS_READ",
      "COMPUTE_UNITS_QUOTE",
      "COMPUTE_UNITS_SLOW_QUOTE",
      "COMPUTE_UNITS_PORTFOLIO",
      "LOG_LEVEL",
      "OTLP_URL",
      "COUNTERSIGN_SANDBOX_AGGREGATORS",
      "COUNTERSIGN_CACHE"
    ])
  })
})
