/** Decimals of listed tokens as they were when 0008 was released, where they are not 18. */
const decimalsByChain: Readonly<Record<number, Readonly<Record<number, ReadonlyArray<string>>>>> = {
  6: {
    1: [
      "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
      "0xdac17f958d2ee523a2206206994597c13d831ec7",
      "0x6c3ea9036406852006290770bedfcaba0e23a0e8",
      "0xe343167631d89b6ffc58b88d6b7fb0228795491d",
      "0x1abaea1f7c830bd89acc67ec4af516284b1bc33c",
      "0x68749665ff8d2d112fa859aa293f07a622782f38",
      "0x7712c34205737192402172409a8f7ccef8aa2aec",
      "0x136471a34f6ef19fe571effc1ca711fdb8e49f2b",
      "0x43415eb6ff9db7e26a15b704e7a3edce97d31c4e"
    ],
    10: [
      "0x0b2c639c533813f4aa9d7837caf62653d097ff85",
      "0x7f5c764cbc14f9669b88837ca1490cca17c31607",
      "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58",
      "0x01bff41798a0bcf287b996046ca68b395dbc1071"
    ],
    100: [
      "0x2a22f9c3b484c3629090feed35f17ff8f88f76f0",
      "0xddafbb505ad214d7b80b1f830fccc89b60fb7a83",
      "0x4ecaba5870353805a9f068101a40e0f32ed605c6"
    ],
    137: [
      "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359",
      "0x2791bca1f2de4661ed88a30c99a7a9449aa84174",
      "0xc2132d05d31c914a87c6611c10748aeb04b58e8f"
    ],
    196: [
      "0x779ded0c9e1022225f8e0630b35a9b54be713736",
      "0x4ae46a509f6b1d9056937ba4500cb143933d2dc8",
      "0xb6ceceab302e2e4948951ee7843fc24e92933061",
      "0x74b7f16337b8972027f6196a17a631ac6de26d22",
      "0x1e4a5963abfd975d8c9021ce480b42188849d41d"
    ],
    8453: [
      "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca",
      "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2",
      "0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42"
    ],
    42161: [
      "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
      "0xff970a61a04b1ca14834a43f5de4533ebddb5cc8",
      "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9"
    ],
    43114: [
      "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e",
      "0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7",
      "0xc891eb4cbdeff6e073e859e987815ed1505c2acd"
    ]
  },
  8: {
    1: ["0x2260fac5e5542a773aa44fbcfedf7c193bc2c599", "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf"],
    10: ["0x68f180fcce6836688e9084f035309e29bf0a2095"],
    56: ["0xba2ae424d960c26247dd6c32edc70b295c744c43"],
    100: ["0x8e5bbbb09ed1ebde8674cda39a0c169401db4252"],
    137: ["0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6"],
    196: ["0xb7c00000bcdeef966b20b3d884b98e64d2b06b4f", "0xea034fb02eb1808c2cc3adbc15f447b93cbe08e1"],
    8453: ["0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf", "0x0555e30da8f98308edb960aa94c0db47230d2b9c"],
    42161: ["0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f"],
    43114: ["0x50b7545627a5162f82a992c33b87adc75187b218", "0x152b9d0fdc40c096757f570a51e494bd4b943e50"]
  },
  9: {
    196: ["0x505000008de8748dbd4422ff4687a4fc9beba15b"]
  }
}

const decimalsByToken = new Map(
  Object.entries(decimalsByChain).flatMap(([decimals, chains]) =>
    Object.entries(chains).flatMap(([chainId, tokens]) =>
      tokens.map((token) => [`${chainId}:${token}`, Number(decimals)] as const)
    )
  )
)

/** Base units, as a decimal string, of an amount that was stored in whole tokens. */
export const baseUnitsText = (amount: string, chainId: number, token: string): string => {
  const decimals = decimalsByToken.get(`${chainId}:${token}`) ?? 18
  const [whole = "0", fraction = ""] = amount.split(".")
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0")).toString()
}
