import { deploymentOf } from "@countersign/adapters/chains/deployments"
import type { Settings } from "@countersign/adapters/service/composition"
import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { type Finding, failing, ok, waiting } from "../Finding.ts"
import { nameOf } from "../words.ts"

/** A required setting that is missing, or a setting with an invalid value. The value itself is omitted. */
export interface SettingProblem {
  readonly name: string
  /** Description of a valid value, which completes the message `setting NAME is not …`. */
  readonly expected: string
  readonly isSet: boolean
}

export interface Configuration {
  readonly settings: Settings
  readonly problems: ReadonlyArray<SettingProblem>
  /** Home folder of the examined sandbox; null for the operator's own service. */
  readonly sandboxHome: string | null
}

const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/u.test(new URL(url).protocol)

/** Returns the valid URLs. Another finding reports the invalid ones. */
export const usableUrls = (urls: ReadonlyArray<string>): ReadonlyArray<string> => urls.filter(isHttpUrl)

/** Returns where the value of a setting comes from. */
const sourceOf = (name: string): string =>
  name.startsWith("PAYMASTER_ADDRESS_")
    ? "`countersign paymaster deploy` prints it"
    : "`countersign serve --help` lists the settings"

const problemFinding = ({ expected, isSet, name }: SettingProblem): Finding =>
  failing(`setting ${name}`, `is not ${expected}`, {
    waitsFor: `a valid value of ${name}`,
    byItself: "Nothing: `countersign serve` does not start with this setting.",
    whatToDo: `${isSet ? "Correct" : "Set"} ${name} (${sourceOf(name)}), then start the service again.`
  })

const urlFindings = (prefix: string, chainId: EvmChainId, urls: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  urls.every(isHttpUrl)
    ? []
    : [
        failing(`setting ${prefix}_${chainId}`, "is not a list of http and https URLs, separated by commas", {
          waitsFor: `a valid value of ${prefix}_${chainId}`,
          byItself: `Nothing: requests for ${nameOf(chainId)} fail.`,
          whatToDo: `Correct ${prefix}_${chainId}, then start the service again.`
        })
      ]

const nodeSettingFindings = (chainId: EvmChainId, { settings }: Configuration): ReadonlyArray<Finding> => {
  const name = `setting RPC_URL_${chainId}`
  const urls = settings.rpcUrls(chainId)
  const { publicRpcUrls } = deploymentOf(chainId)
  if (urls.every((url) => publicRpcUrls.includes(url))) {
    return [
      waiting(name, `contains only public nodes of ${nameOf(chainId)}, which limit the request rate`, {
        waitsFor: "a node of your own",
        byItself: "Quotes work, but fail when the public nodes limit the request rate.",
        whatToDo: `Add the URL of a node to RPC_URL_${chainId}, before "public" or instead of it.`
      })
    ]
  }
  const urlProblems = urlFindings("RPC_URL", chainId, urls)
  if (urlProblems.length > 0 || urls.length > 1) return urlProblems
  return [
    waiting(name, `contains only one node of ${nameOf(chainId)}, so there is no failover`, {
      waitsFor: "a second URL",
      byItself: `When that node fails, quotes on ${nameOf(chainId)} return SWAP_QUOTE until it recovers.`,
      whatToDo: `Add the URL of another node to RPC_URL_${chainId}, after a comma.`
    })
  ]
}

const noChainFinding = failing("setting RPC_URL_<chain id>", "is not set for any chain, so no chain is served", {
  waitsFor: "a chain",
  byItself: "Nothing: `countersign serve` does not start without a chain.",
  whatToDo: "Set RPC_URL_<chain id>, such as RPC_URL_8453 for Base, to URLs of nodes or to `public`."
})

const serviceFindings = (
  prefix: "BUNDLER_URL" | "PAYMASTER_URL",
  consequence: string,
  urls: ReadonlyMap<EvmChainId, ReadonlyArray<string>>,
  activeChainIds: ReadonlyArray<EvmChainId>
): ReadonlyArray<Finding> =>
  activeChainIds.flatMap((chainId) => {
    const serviceUrls = urls.get(chainId)
    if (serviceUrls !== undefined) return urlFindings(prefix, chainId, serviceUrls)
    return [
      failing(`setting ${prefix}_${chainId}`, `is not set, but the service serves ${nameOf(chainId)}`, {
        waitsFor: `a value of ${prefix}_${chainId}`,
        byItself: `Nothing: ${consequence} on ${nameOf(chainId)}.`,
        whatToDo: `Set ${prefix}_${chainId}, then start the service again.`
      })
    ]
  })

const bundlerFindings = ({ bundler }: Settings, activeChainIds: ReadonlyArray<EvmChainId>): ReadonlyArray<Finding> => {
  if (bundler._tag === "Self") return []
  if (bundler._tag === "Rpc")
    return serviceFindings("BUNDLER_URL", "no swap is quoted or sent", bundler.urls, activeChainIds)
  return [
    failing("setting OPERATOR_PRIVATE_KEYS_0_7", "is not set, and no BUNDLER_URL is set, so there is no bundler", {
      waitsFor: "a bundler",
      byItself: "Nothing: quotes return SWAP_QUOTE, and no operation is sent.",
      whatToDo:
        "Set OPERATOR_PRIVATE_KEYS_0_7 and OPERATOR_PRIVATE_KEYS_0_8 to different keys with native tokens on every chain, or set BUNDLER_URL_<chain id> to a bundler."
    })
  ]
}

const paymasterFindings = (
  { paymaster }: Settings,
  activeChainIds: ReadonlyArray<EvmChainId>
): ReadonlyArray<Finding> => {
  if (paymaster._tag === "Self") return []
  if (paymaster._tag === "Rpc")
    return serviceFindings("PAYMASTER_URL", "gas can't be paid in tokens", paymaster.urls, activeChainIds)
  return [
    waiting(
      "setting PAYMASTER_SIGNER_PRIVATE_KEY",
      "is not set, and no PAYMASTER_URL is set, so there is no paymaster",
      {
        waitsFor: "a paymaster, if wallets should pay gas with tokens",
        byItself: "Wallets can pay gas only with native tokens.",
        whatToDo: "Set up a paymaster as docs/operations.md describes, or leave the setting empty."
      }
    )
  ]
}

const shareFindings = ({ quotes }: Settings): ReadonlyArray<Finding> =>
  quotes.operatorSharePercent > 0 && quotes.operatorTreasury === null
    ? [
        waiting(
          "setting OPERATOR_TREASURY",
          `is not set, while OPERATOR_SHARE_PERCENT is ${quotes.operatorSharePercent}`,
          {
            waitsFor: "an address that receives the share",
            byItself: "The operator gets no share of any fee.",
            whatToDo: "Set OPERATOR_TREASURY to an address, or remove OPERATOR_SHARE_PERCENT."
          }
        )
      ]
    : []

export const diagnoseConfiguration = (configuration: Configuration): ReadonlyArray<Finding> => {
  const { problems, sandboxHome, settings } = configuration
  if (sandboxHome !== null) return [ok("configuration", `the sandbox in ${sandboxHome}`)]
  const activeChainIds = evmChainIds.filter((id) => settings.activeChains().includes(id))
  const problemSubjects = new Set(problems.map(({ name }) => `setting ${name}`))
  // Returns whether a group of settings is incomplete. The missing setting is reported instead of the group.
  const isIncomplete = (prefix: RegExp) => problems.some(({ name }) => prefix.test(name))
  const findings = [
    ...problems.map(problemFinding),
    // Invalid settings were replaced by defaults or placeholders, so these findings do not apply to them.
    ...[
      ...(activeChainIds.length === 0 ? [noChainFinding] : []),
      ...activeChainIds.flatMap((chainId) => nodeSettingFindings(chainId, configuration)),
      ...(isIncomplete(/^OPERATOR_PRIVATE_KEYS_/u) ? [] : bundlerFindings(settings, activeChainIds)),
      ...(isIncomplete(/^PAYMASTER_(?!URL)/u) ? [] : paymasterFindings(settings, activeChainIds)),
      ...shareFindings(settings)
    ].filter(({ subject }) => !problemSubjects.has(subject))
  ]
  return findings.some(({ state }) => state === "failing")
    ? findings
    : [ok("configuration", `the environment; chains ${activeChainIds.map(nameOf).join(", ")}`), ...findings]
}
