{
  "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
  "verificationMaterial": {
    "publicKey": {
      "hint": "6ac49b44f5a71a1a1c3653e87b3e43a4dde945bdd05ed7ba9b635acb17617017"
    },
    "tlogEntries": []
  },
  "dsseEnvelope": {
    "payload": "eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEiLCJzdWJqZWN0IjpbeyJuYW1lIjoicmVwb3J0LXdyaXRlciIsImRpZ2VzdCI6eyJzaGEyNTYiOiJlZTZmMTQyNDdkYzY0MzEwYjQzNzZiNzVjY2E4YzVlNmEyNDYzZjRiNmVhNzhmNTRiMTQyYzY2ZTJkODU3OGJiIn19XSwicHJlZGljYXRlVHlwZSI6Imh0dHBzOi8vbW9kZWxfc2lnbmluZy9zaWduYXR1cmUvdjEuMCIsInByZWRpY2F0ZSI6eyJzZXJpYWxpemF0aW9uIjp7Im1ldGhvZCI6ImZpbGVzIiwiaGFzaF90eXBlIjoic2hhMjU2IiwiYWxsb3dfc3ltbGlua3MiOmZhbHNlLCJpZ25vcmVfcGF0aHMiOlsic2tpbGwub21zLnNpZyIsIi5naXQiLCIuZ2l0YXR0cmlidXRlcyIsIi5naXRodWIiLCIuZ2l0aWdub3JlIl19LCJyZXNvdXJjZXMiOlt7Im5hbWUiOiJTS0lMTC5tZCIsImFsZ29yaXRobSI6InNoYTI1NiIsImRpZ2VzdCI6ImY4NTc2NGYxNzEzNjljMDZlYTBkNDA1YjhlYTNiYmE0MzQxMzM3OGViY2U3YTg3MDM2ZTI2NWZhYjA3YzQ0OGUifSx7Im5hbWUiOiJwYXdsLXNraWxsLmpzb24iLCJhbGdvcml0aG0iOiJzaGEyNTYiLCJkaWdlc3QiOiJiMzE2YmZmNzY2Njk0YzM1MWRmODUxOGVhYzc5MDQ0NGJiNjhkZmQ3ZjRlMDQxNTNkZmU4ZGU5YjYzYmFmMDA5In0seyJuYW1lIjoic2NyaXB0cy9ub3RlLnNoIiwiYWxnb3JpdGhtIjoic2hhMjU2IiwiZGlnZXN0IjoiNzc3OTdmYzFiM2MwNWM3NGFhNDg2NTRhMDY2MDFjNDQ5ZGYxM2ZlYjgwYTJiYjljMWVjYTJkMmQ0NmM0ZTVmMSJ9XSwicGF3bCI6eyJleGVjdXRhYmxlIjpbInNjcmlwdHMvbm90ZS5zaCJdfX19",
    "payloadType": "application/vnd.in-toto+json",
    "signatures": [
      {
        "sig": "MEYCIQCEKAl0uN7U66wYSYDOHl2y9uEo7aQfQKyQQSTlo0Js+QIhAO16ZgNarDlNFaDTjaAxzymyt8/nfXO3zMW+T573aqcU",
        "keyid": ""
      }
    ]
  }
}
