{
  "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
  "verificationMaterial": {
    "publicKey": {
      "hint": "d99f0f8f0b21c081ebac17acec584b772d6e18f7a9c72311c474334cd4293dfa"
    },
    "tlogEntries": []
  },
  "dsseEnvelope": {
    "payload": "eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEiLCJzdWJqZWN0IjpbeyJuYW1lIjoiY291bnRpbmciLCJkaWdlc3QiOnsic2hhMjU2IjoiODVjOWUzYjgzZGZiMGY0N2NjODk2MTgwNDY5NGU3OWZiMjk4NGUzYjI1Zjg5MzA5YzRhOWExY2E3YzdkYjhiMiJ9fV0sInByZWRpY2F0ZVR5cGUiOiJodHRwczovL21vZGVsX3NpZ25pbmcvc2lnbmF0dXJlL3YxLjAiLCJwcmVkaWNhdGUiOnsic2VyaWFsaXphdGlvbiI6eyJtZXRob2QiOiJmaWxlcyIsImhhc2hfdHlwZSI6InNoYTI1NiIsImFsbG93X3N5bWxpbmtzIjpmYWxzZSwiaWdub3JlX3BhdGhzIjpbInNraWxsLm9tcy5zaWciLCIuZ2l0IiwiLmdpdGF0dHJpYnV0ZXMiLCIuZ2l0aHViIiwiLmdpdGlnbm9yZSJdfSwicmVzb3VyY2VzIjpbeyJuYW1lIjoiU0tJTEwubWQiLCJhbGdvcml0aG0iOiJzaGEyNTYiLCJkaWdlc3QiOiI1NGI0NDk4MGJhMTA4ZGRmNWJmNDdhMTZkMDk1MzBlYjM1ZTEyY2ZjMmU2YWE2ZTRlYzBjNjlhMjRmODUyOTEwIn0seyJuYW1lIjoicGF3bC1za2lsbC5qc29uIiwiYWxnb3JpdGhtIjoic2hhMjU2IiwiZGlnZXN0IjoiNjMwOTdmNDQ1MDEyNDYxZjU4MmYyNjM2NTI2ZmE5ODg1YzFmNmVjY2NkYTVlYTVmZjk5NmIzODkzYWFjYzk5NiJ9LHsibmFtZSI6InRvb2xzL2NvdW50Lm1qcyIsImFsZ29yaXRobSI6InNoYTI1NiIsImRpZ2VzdCI6IjZkMmFiY2JjZWYxYmRjNTZmZjEwMjg1ZjkyMGIyOTc2MTJmOTQ2MGI2M2RhYTg5N2VmMjVlN2I0MjhkMTRhMjgifSx7Im5hbWUiOiJ0b29scy93b3Jkcy5tanMiLCJhbGdvcml0aG0iOiJzaGEyNTYiLCJkaWdlc3QiOiIxMTk0MTQ0YjMyOWMwZjFiNDNkMmE0ZmFlNzlmYWJhZWMyMWQwMTVjMGY5ZDIxOTU5Nzg2YWM0NWYzNjAzMjBlIn1dLCJwYXdsIjp7ImV4ZWN1dGFibGUiOltdfX19",
    "payloadType": "application/vnd.in-toto+json",
    "signatures": [
      {
        "sig": "MEUCIDUa0Mhh6MBNXY9+wret0c/cqOJWKq1fLVzQxuGA1L5wAiEAt5ZH6EzhpXi2OC9t0zkeFoHDEM3p51DBpBsXN3QYRlM=",
        "keyid": ""
      }
    ]
  }
}
