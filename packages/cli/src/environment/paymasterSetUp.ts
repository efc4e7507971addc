import { keyToAddress, type OperatorAddresses, operatorAddresses } from "@countersign/adapters/chains/evm"
import {
  bundlerSettings,
  chainSettings,
  operatorKeysOrNull,
  type Settings
} from "@countersign/adapters/service/composition"
import { readSetting, requireSetting, SettingInvalid } from "@countersign/adapters/service/settings"
import type { Address, HexBytes } from "@countersign/core/foundation/primitives"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import { Effect, type Redacted } from "effect"
import { settings } from "./connect.ts"
import { isConfigured } from "./isConfigured.ts"

/** The accounts and keys for the setup of paymasters. A field is null if it is unknown. */
export interface PaymasterSetUp extends Pick<Settings, "rpcUrls" | "activeChains" | "servedChains"> {
  readonly ownerKey: Redacted.Redacted<HexBytes> | null
  readonly owner: Address | null
  readonly treasuryKey: Redacted.Redacted<HexBytes> | null
  readonly treasury: Address
  readonly signer: Address
  readonly operators: OperatorAddresses
  /** Configured paymaster addresses by EntryPoint version; null where none is configured. */
  readonly addresses: Readonly<Record<EntryPointVersion, Address | null>>
}

const NO_OPERATORS: OperatorAddresses = { "0.7": [], "0.8": [] }

const REQUIRED_BY_SETUP = "and setting up paymasters requires it"

/**
 * Keys of the paymaster's owner and of its treasury. Commands that deploy contracts or set up paymasters need them. The
 * service does not.
 */
export const paymasterKeys = Effect.all({
  owner: readSetting("PAYMASTER_OWNER_PRIVATE_KEY"),
  treasury: readSetting("PAYMASTER_TREASURY_PRIVATE_KEY")
})

/**
 * The operator accounts that may submit the paymaster's operations. Empty if the service uses external bundlers and has
 * no operator keys; any sender may then submit them.
 */
const operators = Effect.gen(function* () {
  const keys = yield* operatorKeysOrNull
  if (keys === null && (yield* bundlerSettings)._tag === "Rpc") return NO_OPERATORS
  return operatorAddresses(
    keys ?? (yield* new SettingInvalid({ name: "OPERATOR_PRIVATE_KEYS_0_7", expected: `set, ${REQUIRED_BY_SETUP}` }))
  )
})

const environmentSetUp = Effect.gen(function* () {
  const { owner, treasury } = yield* paymasterKeys
  const setUp: PaymasterSetUp = {
    ...(yield* chainSettings),
    ownerKey: owner,
    owner: owner === null ? null : keyToAddress(owner),
    treasuryKey: treasury,
    treasury: yield* requireSetting("PAYMASTER_TREASURY", REQUIRED_BY_SETUP),
    signer: keyToAddress(yield* requireSetting("PAYMASTER_SIGNER_PRIVATE_KEY", REQUIRED_BY_SETUP)),
    operators: yield* operators,
    addresses: {
      "0.7": yield* readSetting("PAYMASTER_ADDRESS_0_7"),
      "0.8": yield* readSetting("PAYMASTER_ADDRESS_0_8")
    }
  }
  return setUp
})

/** Returns the setup of a service with its own paymaster; null if the service has no own paymaster. */
export const setUpOf = ({ activeChains, bundler, paymaster, rpcUrls }: Settings): PaymasterSetUp | null =>
  paymaster._tag === "Self"
    ? {
        activeChains,
        rpcUrls,
        ownerKey: null,
        owner: null,
        treasuryKey: null,
        treasury: paymaster.treasury,
        signer: keyToAddress(paymaster.signerKey),
        operators: bundler._tag === "Self" ? operatorAddresses(bundler.operatorKeys) : NO_OPERATORS,
        addresses: paymaster.paymasters
      }
    : null

const sandboxSetUp = Effect.gen(function* () {
  return setUpOf(yield* settings) ?? (yield* Effect.die("a sandbox has its own paymaster"))
})

/** The setup of the operator's own service if the environment configures one, otherwise of the running sandbox. */
export const paymasterSetUp = Effect.flatMap(isConfigured, (configured) =>
  configured ? environmentSetUp : sandboxSetUp
)
