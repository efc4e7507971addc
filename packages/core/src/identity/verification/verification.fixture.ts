import type { BusinessVerification, Owner } from "./BusinessVerification.ts"

export const anOwner = (fields: Partial<Owner> = {}): Owner => ({
  firstName: "Ana",
  lastName: "Souza",
  documentId: "FX123456",
  documentCategory: "PASSPORT",
  documentCountry: "BRAZIL",
  birthDate: "1990-12-31",
  nationality: "BRAZILIAN",
  address: "Rua das Flores 12",
  city: "Curitiba",
  state: "PR",
  postalCode: "80010-000",
  ...fields
})

export const aBusiness = (fields: Partial<BusinessVerification> = {}): BusinessVerification => ({
  legalName: "Padaria Souza Ltda",
  email: "contato@padaria.example",
  documentId: "33000167000101",
  legalNature: "LTDA",
  phoneNumber: "5541999990000",
  city: "Curitiba",
  postalCode: "80010-000",
  state: "PR",
  streetLine1: "Rua das Flores 12",
  country: "BRAZIL",
  owners: [anOwner()],
  metadata: {},
  ...fields
})
