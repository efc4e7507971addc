import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { environmentSettings } from "@countersign/adapters/service/composition"
import { PER_CHAIN, type Setting, settingGroups, settings } from "@countersign/adapters/service/settings"
import { evmChainIds } from "@countersign/core/foundation/chains"
import { assert, describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option } from "effect"
import { listenAddress } from "../src/commands/listenFlags.ts"
import { backupIdentity, backupRecipient } from "../src/environment/backupSettings.ts"
import { home } from "../src/environment/home.ts"
import { paymasterKeys } from "../src/environment/paymasterSetUp.ts"
import { serveSettings } from "../src/environment/serveSettings.ts"
import { settingsHelp } from "../src/serve/settingsHelp.ts"
import { SECRETS_KEY } from "./support/commandLine.ts"

/** Compares the table of settings with the code, the documents and the help text. `vitest -u` updates the documents. */

const root = join(import.meta.dirname, "../../..")
const keyOf = (digit: number) => `0x${String(digit).padStart(64, "0")}`
const anyAddress = `0x${"1".repeat(40)}`

const everySetting = {
  SECRETS_KEY,
  OPERATOR_PRIVATE_KEYS_0_7: keyOf(1),
  OPERATOR_PRIVATE_KEYS_0_8: keyOf(2),
  PAYMASTER_SIGNER_PRIVATE_KEY: keyOf(3),
  PAYMASTER_ADDRESS_0_7: anyAddress,
  PAYMASTER_ADDRESS_0_8: anyAddress,
  PAYMASTER_TREASURY: anyAddress,
  MARKET_DATA_SOURCES: "coingecko,defillama",
  SWAP_AGGREGATORS: "kyberswap,lifi,velora",
  BLINDPAY_API_KEY: "a key",
  BLINDPAY_INSTANCE_ID: "an instance",
  BRIDGE_API_KEY: "a key",
  BACKUP_TARGET: "https://s3.example/bucket",
  BACKUP_S3_ACCESS_KEY_ID: "an id",
  BACKUP_S3_SECRET_ACCESS_KEY: "a key",
  BACKUP_RECIPIENT: `age1${"q".repeat(58)}`,
  BACKUP_IDENTITY: `AGE-SECRET-KEY-1${"Q".repeat(58)}`,
  SMTP_URL: "smtp://127.0.0.1:25",
  MAIL_FROM: "tax@example.com"
}

const noListener = { port: Option.none(), host: Option.none() }

const allSettings = Effect.gen(function* () {
  const {
    activeChains: _a,
    clockOffsetSeconds: _c,
    isListed: _l,
    rpcUrls: _r,
    servedChains: _s,
    ...settings
  } = yield* environmentSettings(yield* home)
  return {
    settings,
    serve: yield* serveSettings,
    address: yield* listenAddress(noListener),
    keys: yield* paymasterKeys,
    backups: [yield* backupRecipient, yield* backupIdentity]
  }
})

const readSettings = (
  environment: Readonly<Record<string, string>>,
  onRead: (name: string) => void = () => undefined
) => {
  const provider = ConfigProvider.fromEnvRecord(environment)
  const recordingProvider = ConfigProvider.make((path) => {
    onRead(path.join("_"))
    return provider.load(path)
  })
  return Effect.provideService(allSettings, ConfigProvider.ConfigProvider, recordingProvider)
}

const namesOf = (name: string): ReadonlyArray<string> =>
  name.endsWith(PER_CHAIN) ? evmChainIds.map((id) => name.replace(PER_CHAIN, String(id))) : [name]

const sourcesUnder = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.test\.ts$/u.test(file))
    .map((file) => readFileSync(join(root, folder, file), "utf8"))

describe("the declared settings", () => {
  it.effect("are exactly those that the code reads", () =>
    Effect.gen(function* () {
      const readNames = new Set<string>()
      yield* readSettings(everySetting, (name) => readNames.add(name))
      const folders = ["core/src", "adapters/src", "adapters/sandbox", "http/src", "cli/src"]
      for (const source of folders.flatMap((folder) => sourcesUnder(`packages/${folder}`))) {
        for (const [, name] of source.matchAll(/process\.env\.(COUNTERSIGN_\w+)/gu)) readNames.add(name!)
      }
      assert.sameMembers([...readNames], Object.keys(settings).flatMap(namesOf))
    })
  )

  it.effect("have the defaults of the code", () =>
    Effect.gen(function* () {
      const defaults = Object.entries<Setting>(settings).flatMap(([name, setting]) =>
        setting.default === null ? [] : [[name, setting.default] as const]
      )
      const explicitSettings = yield* readSettings({ ...everySetting, ...Object.fromEntries(defaults) })
      assert.deepStrictEqual(
        JSON.stringify(explicitSettings, bigintToText),
        JSON.stringify(yield* readSettings(everySetting), bigintToText)
      )
    })
  )

  it("are all in the help of serve", () => {
    const help = settingsHelp()
    for (const name of Object.keys(settings)) assert.include(help, `  ${name}`)
  })

  it("match the table of docs/settings.md", async () => {
    const file = join(root, "docs/settings.md")
    const text = readFileSync(file, "utf8")
    const [before, after] = [text.split(BEGIN)[0]!, text.split(END)[1]!]
    await expect(`${before}${BEGIN}\n\n${tablesText}\n\n${END}${after}`).toMatchFileSnapshot(file)
  })

  it("include all variables of the files in docs/deploy, except those of their images", () => {
    const otherNames = new Set(["NODE_ENV", "POSTGRES_USER", "POSTGRES_PASSWORD", "POSTGRES_DB"])
    const names = new Set([...Object.keys(settings).flatMap(namesOf), ...otherNames])
    for (const file of readdirSync(join(root, "docs/deploy"))) {
      const text = readFileSync(join(root, "docs/deploy", file), "utf8")
      const setNames = [...text.matchAll(/\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b(?=[=:}\s])/gu)].map(([, name]) => name!)
      const wrongNames = setNames.filter((name) => !names.has(name) && !/^(?:AF|CMD)_/u.test(name))
      assert.deepStrictEqual(wrongNames, [], file)
    }
  })

  it("match .env.example, which sets none of them", async () => {
    await expect(`${exampleText}\n`).toMatchFileSnapshot(join(root, ".env.example"))
  })
})

const bigintToText = (_key: string, value: unknown) => (typeof value === "bigint" ? String(value) : value)

const BEGIN = "<!-- settings -->"
const END = "<!-- end of settings -->"

const defaultTextOf = ({ default: defaultValue, unit }: Setting): string =>
  defaultValue === null ? "" : `${defaultValue}${unit === null ? "" : ` ${unit}`}`

const rowOf = ([name, setting]: readonly [string, Setting]): string => {
  const meaning = `${setting.description}${setting.secret ? " Secret." : ""}`
  return `| \`${name}\` | ${meaning} | ${defaultTextOf(setting)} |`
}

const tablesText = settingGroups
  .map(({ settings, title }) =>
    [
      `**${title}**`,
      "",
      "| setting | meaning | default |",
      "|---|---|---|",
      ...Object.entries(settings).map(rowOf)
    ].join("\n")
  )
  .join("\n\n")

const lineOf = ([variable, setting]: readonly [string, Setting]): string => {
  const name = variable.replace(PER_CHAIN, "1")
  const defaultText = defaultTextOf(setting)
  return `# ${setting.description}${defaultText === "" ? "" : ` Default: ${defaultText}.`}\n#${name}=`
}

const exampleText = [
  "# Settings of `countersign serve`. Copy this file to .env, and uncomment the settings that you need. Make sure that",
  "# no other user can read it (chmod 600 .env). docs/operations.md describes the first steps.",
  ...settingGroups.flatMap(({ settings, title }) => [`\n## ${title}`, ...Object.entries(settings).map(lineOf)])
]
  .join("\n\n")
  .replaceAll(/\n{3,}/gu, "\n\n")
